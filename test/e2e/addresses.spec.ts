import { logout } from '../../src/domains/accounts/contract.ts';
import { addAddress, deleteAddress, getAddresses, MAX_ADDRESSES } from '../../src/domains/addresses/contract.ts';
import { home } from '../support/ordering.ts';
import { addressLabels, areaOption, fillAddress, save } from './address-form.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';

const cards = (page: Page) => page.getByRole('main').getByRole('listitem');

/** Pauses the page's timers: only passTime runs them. */
const stopTime = (page: Page) => page.clock.pauseAt(new Date(Date.parse('2030-01-01T05:00:00Z')));

test.describe('the address list', () => {
  test('shows the empty state with a link to the form', async ({ page, signedIn, seen }) => {
    await signedIn();
    await page.goto('/auth/address');
    await seen('address list', "You haven't added any address yet!");
    await seen('address list', '+ Add New Address');
    await axe(page);
    await page.getByRole('link', { name: '+ Add New Address' }).click();
    await expect(page).toHaveURL('/auth/address/addnewaddress');
  });

  test('shows all fields of each address, newest first', async ({ page, signedIn, program }) => {
    await signedIn();
    await sendCall(page.request, addAddress, home);
    program.clock.advance(1);
    await sendCall(page.request, addAddress, { ...home, name: 'Office', address1: 'Plot 7', address2: 'Sector-1', landmark: 'Manesar' });
    await page.goto('/auth/address');
    await expect(cards(page).getByRole('heading')).toHaveText(['Office', 'Meera Nair']);
    for (const part of ['Flat 12, Tower B', 'Vatika India Next', 'Opposite the water tank', 'Gurugram, Haryana 122052', '+91 9876501234']) {
      await expect(cards(page).nth(1).getByText(part, { exact: true })).toBeVisible();
    }
    await axe(page);
    await fitsWidth(page, 320);
  });

  test('deletes after confirmation, shows the alert for five seconds, and reloads', async ({ page, signedIn, seen, passTime }) => {
    await signedIn();
    await sendCall(page.request, addAddress, home);
    await sendCall(page.request, addAddress, { ...home, name: 'Office' });
    await page.goto('/auth/address');
    await page.getByRole('button', { name: 'Delete Office, Flat 12, Tower B' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this address?' });
    await expect(question).toBeVisible();
    await axe(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(cards(page)).toHaveCount(2);

    await page.getByRole('button', { name: /^Delete Office/ }).click();
    await stopTime(page);
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(cards(page).getByRole('heading')).toHaveText(['Meera Nair']);
    await seen('address list', 'Address deleted successfully');
    await passTime(4.9);
    await expect(page.getByText('Address deleted successfully')).toBeVisible();
    await passTime(0.2);
    await expect(page.getByText('Address deleted successfully')).toBeHidden();
    expect(await sendCall(page.request, getAddresses, {})).toHaveLength(1);
  });

  test('shows the alert if an address cannot be deleted, and reloads', async ({ page, signedIn, seen }) => {
    await signedIn();
    const { addressid } = await sendCall(page.request, addAddress, home);
    await page.goto('/auth/address');
    await page.getByRole('button', { name: /^Delete Meera/ }).click();
    // Another tab has deleted the address.
    await sendCall(page.request, deleteAddress, { addressid });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await seen('address list', 'Something went wrong while deleting address');
    await expect(page.getByText("You haven't added any address yet!")).toBeVisible();
  });

  test('shows the same alert if the call to delete an address fails', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/request failed: POST .*\/address\/deleteaddress/);
    await signedIn();
    await sendCall(page.request, addAddress, home);
    await page.goto('/auth/address');
    await page.route('**/address/deleteaddress', (route) => route.abort());
    await page.getByRole('button', { name: /^Delete Meera/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Something went wrong while deleting address')).toBeVisible();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(cards(page)).toHaveCount(1);
  });

  test('keeps the list and offers a retry if it cannot be loaded again after a deletion', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/request failed: POST .*\/address\/getaddress.php/);
    await signedIn();
    for (const name of ['Meera Nair', 'Office']) await sendCall(page.request, addAddress, { ...home, name });
    await page.goto('/auth/address');
    await expect(cards(page)).toHaveCount(2);
    await page.route('**/address/getaddress.php', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: /^Delete Meera/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alert').getByText('We could not load your addresses')).toBeVisible();
    await expect(cards(page)).toHaveCount(2);
    await axe(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(cards(page)).toHaveCount(1);
    await expect(page.getByText('We could not load your addresses')).toBeHidden();
  });

  test('offers a retry if addresses fail to load', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/request failed: POST .*\/address\/getaddress.php/);
    await signedIn();
    await sendCall(page.request, addAddress, home);
    await page.route('**/address/getaddress.php', (route) => route.abort(), { times: 1 });
    await page.goto('/auth/address');
    await expect(page.getByText('We could not load your addresses')).toBeVisible();
    await axe(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(cards(page)).toHaveCount(1);
  });

  test('shows a skeleton while addresses load', async ({ page, signedIn }) => {
    await signedIn();
    const release = Promise.withResolvers<void>();
    await page.route('**/address/getaddress.php', async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto('/auth/address');
    await expect(page.getByText('Loading your addresses')).toBeAttached();
    await axe(page);
    release.resolve();
    await expect(page.getByText("You haven't added any address yet!")).toBeVisible();
  });
});

test.describe('the add form', () => {
  test('shows the message of each invalid field below it, and focuses the first', async ({ page, signedIn, seen }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    for (const text of ['Add new address', 'Save', 'Cancel', "You can't change pincode, city & state"] as const)
      await seen('address form', text);
    await axe(page);
    await expect(areaOption(page, 'Manesar')).not.toBeChecked();
    await fillAddress(page, { ...home, name: 'Me', mobile: '98765', address1: '', address2: '  a ', landmark: 'xy' });
    await save(page).click();
    const said = {
      Name: 'Name value is invalid!',
      Mobile: 'Please enter a valid mobile number without any country code !',
      'Address 1': 'Address 1 value is invalid!',
      'Address 2': 'Address 2 value is invalid!',
      Landmark: 'Landmark value is invalid!',
    } as const;
    for (const [label, text] of Object.entries(said)) {
      await seen('address form', text);
      await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(`^${text}`));
    }
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await axe(page);
    await fitsWidth(page, 320);

    // The form stays invalid until all fields are valid.
    await fillAddress(page, { ...home, landmark: 'xy' });
    await save(page).click();
    await expect(page.getByLabel('Landmark')).toBeFocused();
    await expect(page.getByText('Name value is invalid!')).toBeHidden();
    expect(await sendCall(page.request, getAddresses, {})).toEqual([]);
  });

  test('knows name and mobile of the customer, saves, and shows the alert and the list with the address', async ({
    page,
    signedIn,
    seen,
  }) => {
    const { userid, name, mobile } = await signedIn();
    await page.goto('/auth/address');
    await page.getByRole('link', { name: '+ Add New Address' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
    await expect(page.getByLabel('Mobile', { exact: true })).toHaveValue(mobile);
    await fillAddress(page, home);
    const sent = page.waitForRequest('**/address/address.php');
    await save(page).click();
    expect((await sent).postDataJSON()).toEqual({ ...home, area: 'manesar', userid });
    await seen('address form', 'Address added successfully');
    await expect(page).toHaveURL('/auth/address');
    await expect(cards(page).getByRole('heading')).toHaveText(['Meera Nair']);
    await expect(page.getByRole('main')).toBeFocused();

    // The next form is new.
    await page.getByRole('link', { name: '+ Add New Address' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
    await expect(page.getByLabel('Address 1')).toHaveValue('');
    await expect(page.getByLabel('Pincode')).toHaveValue('122052');
  });

  test('an unfinished form survives leaving and a reload, but not Cancel', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    await page.getByLabel('Address 1').fill('Flat 12');
    await page.reload();
    await expect(page.getByLabel('Address 1')).toHaveValue('Flat 12');
    await page.getByRole('main').getByRole('link', { name: 'Your addresses' }).click();
    await page.getByRole('link', { name: '+ Add New Address' }).click();
    await expect(page.getByLabel('Address 1')).toHaveValue('Flat 12');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: '+ Add New Address' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Address 1')).toHaveValue('');
  });

  test('an error stays until its field is mended, and a live region announces it', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    const landmark = page.getByLabel('Landmark');
    await fillAddress(page, { ...home, landmark: 'x' });
    await landmark.press('Enter');
    const error = page.locator('[aria-live=polite]').getByText('Landmark value is invalid!');
    await expect(error).toBeVisible();
    await expect(landmark).toBeFocused();
    await landmark.fill('xy');
    await expect(error).toBeVisible();
    await landmark.fill('xyz');
    await expect(error).toBeHidden();
  });

  test('asks for the area, and shows it on the card', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    for (const [field, label] of Object.entries(addressLabels)) {
      await page.getByLabel(label, { exact: true }).fill(home[field as keyof typeof home]);
    }
    await save(page).click();
    await expect(page.getByText('Please select the area of this address')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Area', exact: true })).toHaveAccessibleDescription(
      'Please select the area of this address',
    );
    await expect(areaOption(page, 'Manesar')).toBeFocused();
    await axe(page);
    await areaOption(page, 'Vatika India Next').check();
    await expect(page.getByText('Please select the area of this address')).toBeHidden();
    await save(page).click();
    await expect(page.getByText('Address added successfully')).toBeVisible();
    await page.goto('/auth/address');
    await expect(cards(page).getByText('Vatika India Next, Gurugram, Haryana 122052', { exact: true })).toBeVisible();
  });

  test('shows a spinner while it saves, and ignores repeated clicks', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    await fillAddress(page, home);
    const release = Promise.withResolvers<void>();
    await page.route('**/address/address.php', async (route) => {
      await release.promise;
      await route.continue();
    });
    await save(page).click();
    await expect(save(page)).toHaveAttribute('aria-busy', 'true');
    await save(page).click({ force: true });
    await page.getByLabel('Landmark').press('Enter');
    release.resolve();
    await expect(page.getByText('Address added successfully')).toBeVisible();
    expect(await sendCall(page.request, getAddresses, {})).toHaveLength(1);
  });

  test('removes the country code of a pasted mobile, and limits it to ten digits', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    const mobile = page.getByLabel('Mobile', { exact: true });
    for (const pasted of ['+91 98765 01234', '098765-01234', '9876501234567', 'call 98765 01234']) {
      await mobile.fill(pasted);
      await expect(mobile).toHaveValue('9876501234');
    }
    await mobile.fill('');
    await mobile.pressSequentially('98765012349');
    await expect(mobile).toHaveValue('9876501234');
  });

  test('does not let the customer change city and state', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    for (const label of ['Pincode', 'City', 'State']) await expect(page.getByLabel(label)).toHaveAttribute('readonly');
  });

  test('shows the alert and the reason at the maximum number of addresses', async ({ page, signedIn, seen }) => {
    await signedIn();
    for (let count = 0; count < MAX_ADDRESSES; count += 1) await sendCall(page.request, addAddress, home);
    await page.goto('/auth/address/addnewaddress');
    await fillAddress(page, home);
    await save(page).click();
    await seen('address form', 'Something went wrong, try again later');
    await expect(page.getByText(`You have ${MAX_ADDRESSES} saved addresses, please delete one before adding another`)).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Meera Nair');
  });

  test('keeps the input and shows the alert if the call fails', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/request failed: POST .*\/address\/address.php/);
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    await fillAddress(page, home);
    await page.route('**/address/address.php', (route) => route.abort(), { times: 1 });
    await save(page).click();
    await expect(page.getByText('Something went wrong, try again later')).toBeVisible();
    await save(page).click();
    await expect(page.getByText('Address added successfully')).toBeVisible();
  });

  test('is completed and submitted with the keyboard alone', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    await page.getByLabel('Name', { exact: true }).focus();
    for (const field of Object.keys(addressLabels)) {
      await page.keyboard.type(home[field as keyof typeof home]);
      await page.keyboard.press('Tab');
    }
    await expect(areaOption(page, 'Manesar')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Address added successfully')).toBeVisible();
  });

  test('shows the link to the log-in after the session has ended', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/response 401: POST .*\/address\/address.php/);
    await signedIn();
    await page.goto('/auth/address/addnewaddress');
    await fillAddress(page, home);
    await sendCall(page.request, logout, {});
    await save(page).click();
    await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible();
  });
});

test.describe('the edit form', () => {
  test('loads the address, saves it, and shows the alert for five seconds', async ({ page, signedIn, seen, passTime }) => {
    await signedIn();
    await sendCall(page.request, addAddress, { ...home, area: 'vatika' });
    await page.goto('/auth/address');
    await page.getByRole('link', { name: 'Edit Meera Nair, Flat 12, Tower B' }).click();
    for (const text of ['Edit address', 'Save', 'Cancel'] as const) await seen('address form, editing', text);
    for (const [field, label] of Object.entries(addressLabels)) {
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(home[field as keyof typeof home]);
    }
    await expect(areaOption(page, 'Vatika India Next')).toBeChecked();
    await axe(page);
    await page.getByLabel('Name', { exact: true }).fill('Meera and Arun');
    await stopTime(page);
    await save(page).click();
    await expect(page).toHaveURL('/auth/address');
    await seen('address form, editing', 'Address updated successfully');
    await passTime(4.9);
    await expect(page.getByText('Address updated successfully')).toBeVisible();
    await passTime(0.2);
    await expect(page.getByText('Address updated successfully')).toBeHidden();
    await expect(cards(page).getByRole('heading')).toHaveText(['Meera and Arun']);
  });

  test('an unfinished change survives a reload, and another address is not affected', async ({ page, signedIn }) => {
    await signedIn();
    const [first, second] = [await sendCall(page.request, addAddress, home), await sendCall(page.request, addAddress, home)];
    await page.goto(`/auth/address/editaddress/${first.addressid}`);
    await page.getByLabel('Landmark').fill('Behind the school');
    await page.goto(`/auth/address/editaddress/${second.addressid}`);
    await expect(page.getByLabel('Landmark')).toHaveValue(home.landmark);
    await page.goto(`/auth/address/editaddress/${first.addressid}`);
    await expect(page.getByLabel('Landmark')).toHaveValue('Behind the school');
    await areaOption(page, 'Vatika India Next').check();
    await save(page).click();
    await expect(page.getByText('Address updated successfully')).toBeVisible();
    await expect(page).toHaveURL('/auth/address');
    await expect(cards(page).filter({ hasText: 'Behind the school' })).toHaveCount(1);
    expect(await page.evaluate(() => sessionStorage.getItem('unfinishedaddress'))).toBeNull();
  });

  test('asks once for the area of an address that has none', async ({ page, signedIn }) => {
    await signedIn();
    await sendCall(page.request, addAddress, home);
    await page.goto('/auth/address');
    await expect(cards(page).getByText('Area not selected yet')).toBeVisible();
    await axe(page);
    await page.getByRole('link', { name: /^Edit Meera/ }).click();
    await save(page).click();
    await expect(page.getByText('Please select the area of this address')).toBeVisible();
    await areaOption(page, 'Manesar').check();
    await save(page).click();
    await expect(page.getByText('Address updated successfully')).toBeVisible();
    expect(await sendCall(page.request, getAddresses, {})).toMatchObject([{ ...home, area: 'manesar' }]);
  });

  test('shows a different message for an invalid mobile, and the same for other fields', async ({ page, signedIn, seen }) => {
    await signedIn();
    const { addressid } = await sendCall(page.request, addAddress, home);
    await page.goto(`/auth/address/editaddress/${addressid}`);
    await page.getByLabel('Mobile', { exact: true }).fill('98765');
    await page.getByLabel('Landmark').fill('');
    await save(page).click();
    await seen('address form, editing', 'Mobile number is invalid');
    await expect(page.getByText('Landmark value is invalid!')).toBeVisible();
    await expect(page.getByLabel('Mobile', { exact: true })).toBeFocused();
  });

  test('shows an alert if the address does not exist, or was deleted before saving', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto('/auth/address/editaddress/NOSUCHADDRESS0000000');
    await expect(page.getByText('Address not found')).toBeVisible();
    await axe(page);

    const { addressid } = await sendCall(page.request, addAddress, home);
    await page.goto(`/auth/address/editaddress/${addressid}`);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Meera Nair');
    await areaOption(page, 'Manesar').check();
    await sendCall(page.request, deleteAddress, { addressid });
    await save(page).click();
    await expect(page.getByText('Something went wrong, try again later')).toBeVisible();
    await expect(page.getByText('Address not found')).toBeVisible();
  });
});

test.describe('signed out', () => {
  for (const path of ['/auth/address', '/auth/address/addnewaddress', '/auth/address/editaddress/ANYADDRESS0000000000']) {
    test(`${path} redirects to the log-in after 3 s without a call`, async ({ page, passTime }) => {
      const calls: string[] = [];
      page.on('request', (request) => void (request.method() === 'POST' && calls.push(request.url())));
      await stopTime(page);
      await page.goto(path);
      await expect(page.getByText('Please login first')).toBeVisible();
      await passTime(2.9);
      await expect(page).toHaveURL(path);
      await passTime(0.2);
      await expect(page).toHaveURL('/auth/login');
      expect(calls).toEqual([]);
    });
  }

  test('a link opens the log-in immediately, and the log-in returns', async ({ page, signedIn }) => {
    const { mobile, password } = await signedIn();
    await sendCall(page.request, addAddress, home);
    await sendCall(page.request, logout, {});
    await page.goto('/auth/address');
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await expect(page).toHaveURL('/auth/login');
    await page.getByLabel('Mobile Number').fill(mobile);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page).toHaveURL('/auth/address');
    await expect(cards(page)).toHaveCount(1);
  });
});
