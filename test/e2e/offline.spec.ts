/** Without a connection: the orders seen last, and the cart that waits. docs/decisions/0050. */
import { transaction } from '../../src/db/database.server.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import { links } from '../../src/shared/links.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { hindi } from './hindi.ts';
import { cart, chooseService, proceed, saveAddress } from './order-steps.ts';
import { advanceOrder, placeGuestOrder, placeOrders } from './ordering.ts';

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;
const FIVE_MINUTES = 5 * 60;

const storedOrders = (page: Page) => page.evaluate(() => localStorage.getItem('customerdata'));

test.describe('the orders seen last', () => {
  test.use({ serviceWorkers: 'allow' });

  test('are readable with their age, in the list, on their page and after a reload', async ({
    page,
    context,
    program,
    passTime,
    signedIn,
    expectProblem,
  }) => {
    expectProblem(OFFLINE);
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await advanceOrder(program, orderid, 'washing');
    await context.addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // The worker controls this page.
    await page.goto(links.orders());
    await page.getByRole('link', { name: hindi('Wash'), exact: true }).click();
    await expect(page.getByRole('heading', { name: hindi('Help with this order') })).toBeVisible();
    await expect.poll(() => storedOrders(page)).toContain(orderid);

    await context.setOffline(true);
    await passTime(FIVE_MINUTES);
    await page
      .getByRole('link', { name: hindi('Your orders'), exact: true })
      .first()
      .click();
    await expect(page.getByText(hindi('You are offline'))).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: orderid })).toContainText('5 मिनट पहले');
    await page.getByRole('link', { name: hindi('Wash'), exact: true }).click();
    await expect(page.getByText(hindi('We could not update this order'))).toBeVisible();
    await expect(page.getByText('5 मिनट पहले')).toBeVisible();
    await expect(page.getByText('7.53').first()).toBeVisible();

    await page.reload();
    await expect(page.getByRole('heading', { name: hindi('You are offline') })).toBeVisible();
    const order = page.getByRole('article');
    await expect(order).toContainText(orderid);
    await expect(order).toContainText(hindi('Washing/Drying'));
    await expect(order).toContainText('5 मिनट पहले');
    await axe(page);
    await fitsWidth(page, 320);
    expect(await page.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0);
    expect(await page.evaluate(async (id) => (await (await caches.match('/offline'))?.text())?.includes(id), orderid)).toBe(false);

    await advanceOrder(program, orderid, 'delivery');
    // The page loads again by itself.
    await context.setOffline(false);
    await expect(page.getByText(hindi('Out for delivery')).first()).toBeVisible();
    await expect(page.getByText(hindi('We could not update this order'))).toBeHidden();
  });
});

test.describe('an order that waits for the customer', () => {
  test.use({ serviceWorkers: 'allow' });

  test('says so without a connection, with its age and the hand-over code', async ({ page, context, program, signedIn, expectProblem }) => {
    expectProblem(OFFLINE);
    const [waiting = '', coming = ''] = await placeOrders(page.request, await signedIn(), 2);
    await advanceOrder(program, coming, 'delivery');
    await transaction(program.db, (tx) =>
      insertOrderEvent(tx, waiting, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }),
    );
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.goto(links.orders());
    await expect.poll(() => storedOrders(page)).toContain(waiting);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    const article = (orderid: string) => page.getByRole('article').filter({ hasText: orderid });
    await expect(article(waiting)).toContainText('Next stepPlease choose a new evening');
    await expect(article(coming)).toContainText('Next stepBack by Sun, Nov 22, 9 PM');
    await expect(article(coming)).toContainText(/Hand-over code\d{4}/);
    // Before the facts, so that they are read with it.
    await expect(article(coming).locator('h3 + p')).toHaveText(/^Seen .*, just now$/);
    await axe(page);
    await fitsWidth(page, 320);
    await context.setOffline(false);
  });
});

test('log-out, another customer and a forgotten device delete the orders seen last', async ({ page, context, signedIn, newMobile }) => {
  const open = async (orderid: string) => {
    await page.goto(links.order(orderid));
    await expect.poll(() => storedOrders(page)).toContain(orderid);
  };
  const [first = ''] = await placeOrders(page.request, await signedIn(), 1);
  await open(first);
  await page.getByRole('banner').getByRole('button', { name: /^Hi, / }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect.poll(() => storedOrders(page)).toBeNull();

  await open(await placeGuestOrder(page.request, newMobile()));
  await page.getByRole('button', { name: 'Forget my details on this device' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click();
  await expect.poll(() => storedOrders(page)).toBeNull();

  const { name, mobile, password } = await signedIn();
  await context.clearCookies();
  await open(await placeGuestOrder(page.request, newMobile()));
  await page.goto(links.login());
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Hi, ${name}` })).toBeVisible();
  expect(await storedOrders(page)).toBeNull();
});

test('the cart waits for the connection, can be cancelled, and then places one order', async ({ page, context, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('addorder')) keys.push(request.headers()['idempotency-key']);
  });
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page)
    .getByRole('radio', { name: new RegExp(customer.name) })
    .check();
  // The last step preloads it, and a lost connection would end that with failed requests.
  await importScript(page, await confirmScript(page));
  await context.setOffline(true);
  const waiting = cart(page).getByText('Your order waits for the connection');
  await proceed(page).click();
  await expect(waiting).toBeVisible();
  await axe(page);
  await cart(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(waiting).toBeHidden();
  await expect(cart(page).locator('footer > [tabindex="-1"]')).toBeFocused();
  await context.setOffline(false);
  await expect(proceed(page)).toBeEnabled();
  expect(keys).toEqual([]);

  await context.setOffline(true);
  await proceed(page).click();
  await expect(waiting).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(new Set(keys).size).toBe(1);
  const orders = await program.db.selectFrom('orders').select('id').where('customer_id', '=', customer.userid).execute();
  expect(orders).toHaveLength(1);
});

const MANIFEST = '__reactRouterManifest';
const confirmScript = (page: Page) =>
  page.evaluate((name) => {
    const manifest: unknown = Reflect.get(window, name);
    return (manifest as { routes: { confirm: { module: string } } }).routes.confirm.module;
  }, MANIFEST);
/** Waits until the page has loaded the script and its imports. */
const importScript = (page: Page, script: string) => page.evaluate((file) => import(file).then(() => undefined), script);

test('the cart places the order also if no script can be loaded at its last button', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  const loaded: string[] = [];
  page.on('requestfinished', (request) => loaded.push(new URL(request.url()).pathname));
  await chooseService(page, 'Wash', 'Manesar');
  const script = await confirmScript(page);
  await expect.poll(() => loaded).toContain(script);
  await importScript(page, script);
  await page.route('**/assets/*.js', (route) => route.abort());
  await cart(page)
    .getByRole('radio', { name: new RegExp(customer.name) })
    .check();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});

test('without the script of the next step the cart says that the order was not placed, keeps it, and tries again', async ({
  page,
  signedIn,
  expectProblem,
}) => {
  expectProblem(/request failed: GET .*\/assets\/confirm-/);
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await page.route('**/assets/confirm-*', (route) => route.abort());
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page)
    .getByRole('radio', { name: new RegExp(customer.name) })
    .check();
  await proceed(page).click();
  const notice = cart(page).getByRole('alert').filter({ hasText: 'Your order was not placed' });
  // After the retries.
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await axe(page);
  await page.unroute('**/assets/confirm-*');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});
