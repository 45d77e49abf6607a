/** Help on the page of an order, reports of problems with photos, and the promise. */
import { writeFile } from 'node:fs/promises';
import { defaultBrand } from '../../src/shared/brand.ts';
import { links } from '../../src/shared/links.ts';
import { asPaise } from '../../src/lib/money.ts';
import { addClaim, getClaims, photoPath } from '../../src/domains/claims/contract.ts';
import { transaction } from '../../src/db/database.server.ts';
import { ledgerReference } from '../../src/domains/wallet/reference-rules.ts';
import { reverseClaimCredit } from '../../src/domains/wallet/service.server.ts';
import { answerClaim, settleClaim } from '../../src/domains/claims/service.server.ts';
import { MAX_PHOTO_PIXELS } from '../../src/domains/photos/contract.ts';
import { samplePhoto, withSegment } from '../support/photos.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';
import { placeGuestOrder, placeOrders } from './ordering.ts';

const SMALL = { name: 'small.jpg', mimeType: 'image/jpeg', buffer: samplePhoto('jpeg') };
const OTHER = { name: 'grey.bmp', mimeType: 'image/bmp', buffer: greyPhoto(60) };
const THIRD = { name: 'light.bmp', mimeType: 'image/bmp', buffer: greyPhoto(200) };

/** Returns a BMP file of 16 by 16 pixels in one grey. */
function greyPhoto(brightness: number): Buffer {
  const headerBytes = 54;
  const file = Buffer.alloc(headerBytes + 16 * 16 * 3, brightness);
  file.fill(0, 0, headerBytes).write('BM');
  for (const [offset, value] of [
    [2, file.length],
    [10, headerBytes],
    [14, 40],
    [18, 16],
    [22, 16],
  ] as const)
    file.writeUInt32LE(value, offset);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** Returns a photo of a camera: 4000 by 3000 pixels with some noise. */
async function cameraPhoto(page: Page) {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4000, 3000];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    for (let index = 0; index < 400; index += 1) {
      context.fillStyle = `hsl(${index * 37} 60% 50%)`;
      context.fillRect((index * 997) % 4000, (index * 613) % 3000, 300, 300);
    }
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1] ?? '';
  });
  return { name: 'camera.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}

const photoInput = (page: Page) => page.locator('input[type=file]');
const addedPhotos = (page: Page) => page.getByRole('group', { name: 'Photos (optional)' }).getByRole('img');
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send the report' });
const reports = (page: Page) =>
  page
    .getByRole('region', { name: 'Your reports' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });

const describe = async (page: Page, message: string) => {
  await page.getByRole('radio', { name: 'Something is damaged' }).check();
  await page.getByRole('textbox', { name: 'What happened?' }).fill(message);
};

test('the page of an order offers a call, WhatsApp with the order number, a report, and the promise', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  const help = page.getByRole('main').locator('section', { has: page.getByRole('heading', { name: 'Help with this order' }) });
  await expect(help.getByRole('link', { name: 'Call us' })).toHaveAttribute('href', `tel:${defaultBrand.mobile.replaceAll(' ', '')}`);
  const whatsapp = new URL((await help.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')) ?? '');
  expect(whatsapp.origin + whatsapp.pathname).toBe(`https://wa.me/${defaultBrand.social.chatNumber}`);
  expect(whatsapp.searchParams.get('text')).toBe(`Hello ${defaultBrand.name}, this is about my order ${orderid}: `);
  await axe(page);
  await fitsWidth(page, 320);
  await help.getByRole('link', { name: 'Our promise' }).click();
  await expect(page).toHaveURL(links.promise());
  await page.goBack();
  await help.getByRole('link', { name: 'Report a problem' }).click();
  await expect(page).toHaveURL(links.claims(orderid));
  // Before the pickup, nothing can be damaged or missing.
  await expect(page.getByRole('radio').nth(0)).toHaveAccessibleName('It is late');
  await expect(page.getByRole('radio').nth(1)).toHaveAccessibleName('Something else');
});

test('a report with a photo of a camera is reduced, sent, and shown with its deadline', async ({ page, program, signedIn }) => {
  program.clock.set('2026-11-21T05:10:00Z');
  const { userid, ...customer } = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, { userid, ...customer }, 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'The blue shirt has a hole.');
  await photoInput(page).setInputFiles(await cameraPhoto(page));
  await expect(addedPhotos(page)).toHaveCount(1);
  await axe(page);
  await fitsWidth(page, 320);
  await sendButton(page).click();
  await expect(page.getByText('We have your report')).toBeVisible();
  const report = reports(page);
  await expect(report).toHaveCount(1);
  for (const text of ['Something is damaged', 'Answer by Mon, Nov 23, 10 AM', 'The blue shirt has a hole.']) {
    await expect(report).toContainText(text);
  }
  const photo = report.getByRole('img', { name: 'Photo 1' });
  await expect
    .poll(() => photo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([MAX_PHOTO_PIXELS, 1200]);
  await axe(page);
  await fitsWidth(page, 320);
  // The form is closed, and empty again, also after a reload.
  await expect(sendButton(page)).toHaveCount(0);
  await page.reload();
  await expect(report).toHaveCount(1);
  await expect(sendButton(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Report another problem' }).click();
  await expect(page.getByRole('heading', { name: 'Report another problem' })).toBeFocused();
  await axe(page);
  await expect(page.getByRole('textbox', { name: 'What happened?' })).toHaveValue('');
  await expect(addedPhotos(page)).toHaveCount(0);
  await page.goto(links.order(orderid));
  await expect(page.getByText('Answer by Mon, Nov 23, 10 AM')).toBeVisible();
});

test('the photo that leaves the browser has no metadata', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  // Playwright has no access to a body that is a Blob.
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      Object.assign(globalThis, { sentFile: body });
      send.call(this, body);
    };
  });
  await page.goto(links.claims(orderid));
  expect(SMALL.buffer.includes('CameraMaker')).toBe(true);
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  const bytes = await page.evaluate(async () => {
    const { sentFile } = globalThis as unknown as { sentFile: Blob };
    return Array.from(new Uint8Array(await sentFile.arrayBuffer()));
  });
  const sent = Buffer.from(bytes);
  expect(sent.subarray(0, 3)).toEqual(Buffer.of(0xff, 0xd8, 0xff));
  for (const text of ['CameraMaker', 'Exif', 'GPS']) expect(sent.includes(text)).toBe(false);
});

test('a report whose photo is no longer stored asks for it until it is added again', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'A sock is missing');
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  await program.db.deleteFrom('claim_photos').where('customer_id', '=', customer.userid).execute();
  await sendButton(page).click();
  const error = page.getByText('A photo of this report is no longer stored, please add it again');
  await expect(error).toBeVisible();
  await expect(addedPhotos(page)).toHaveCount(0);
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  await expect(error).toBeHidden();
  await sendButton(page).click();
  await expect(reports(page).getByRole('img')).toHaveCount(1);
});

test('the draft with its photos stays after a reload, and photos can be removed', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'A sock is missing');
  await photoInput(page).setInputFiles([SMALL, OTHER]);
  await expect(addedPhotos(page)).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'What happened?' })).toHaveValue('A sock is missing');
  await expect(page.getByRole('radio', { name: 'Something is damaged' })).toBeChecked();
  await expect(addedPhotos(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove photo 1' }).click();
  await expect(addedPhotos(page)).toHaveCount(1);
  await sendButton(page).click();
  await expect(reports(page).getByRole('img')).toHaveCount(1);
});

test('a photo that is chosen twice is kept once, with a sentence', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'A torn collar');
  const sentence = page.getByText('You have added this photo already. It is kept once.');
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  await expect(sentence).toBeHidden();
  // Phones write the time of the export into the copy that they hand to the page.
  const copy = { ...SMALL, name: 'copy.jpg', buffer: withSegment(SMALL.buffer, 0xfe, 'exported again') };
  for (const same of [SMALL, copy]) {
    await photoInput(page).setInputFiles(same);
    await expect(sentence).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toBeHidden();
    await expect(addedPhotos(page)).toHaveCount(1);
  }
  await axe(page);
  await fitsWidth(page, 320);
  // Also after a reload, and a photo that is left out takes no place of another.
  await page.reload();
  await photoInput(page).setInputFiles([SMALL, OTHER, OTHER, THIRD]);
  await expect(addedPhotos(page)).toHaveCount(3);
  await expect(sentence).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo 1' }).click();
  await expect(sentence).toBeHidden();
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(3);
  await sendButton(page).click();
  await expect(reports(page).getByRole('img')).toHaveCount(3);
});

test('a photo that is chosen again while it is uploaded is kept once', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  const release = Promise.withResolvers<void>();
  await page.route('**/claims/addphoto**', async (route) => {
    await release.promise;
    await route.continue();
  });
  await photoInput(page).setInputFiles(SMALL);
  await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toHaveCount(1);
  await photoInput(page).setInputFiles(SMALL);
  await expect(page.getByText('You have added this photo already. It is kept once.')).toBeVisible();
  release.resolve();
  await expect(addedPhotos(page)).toHaveCount(1);
  await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toBeHidden();
  await expect(addedPhotos(page)).toHaveCount(1);
});

test('a form without kind or words, a file that is no photo, and a fourth photo: a clear sentence', async ({
  page,
  signedIn,
}, testInfo) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  await sendButton(page).click();
  await expect(page.getByText('Please choose what went wrong')).toBeVisible();
  await expect(page.getByText('Please tell us what happened')).toBeVisible();
  await expect(page.getByRole('radio').first()).toBeFocused();
  // A field that is mended shows no error.
  await describe(page, 'The blue shirt has a hole.');
  await expect(page.getByText('Please choose what went wrong')).toBeHidden();
  await expect(page.getByText('Please tell us what happened')).toBeHidden();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const large = testInfo.outputPath('large.jpg');
  await writeFile(large, Buffer.alloc(30 * 1024 * 1024, 1));
  for (const file of [
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    { name: 'half.jpg', mimeType: 'image/jpeg', buffer: SMALL.buffer.subarray(0, 60) },
    large,
  ]) {
    await photoInput(page).setInputFiles(file);
    await expect(page.getByText('This file is not a photo that we can read')).toBeVisible();
    // Another choice removes the error.
    await photoInput(page).setInputFiles(SMALL);
    await expect(addedPhotos(page)).toHaveCount(1);
    await expect(page.getByText('This file is not a photo that we can read')).toBeHidden();
    await page.getByRole('button', { name: 'Remove photo 1' }).click();
    await expect(addedPhotos(page)).toHaveCount(0);
  }
  await photoInput(page).setInputFiles([SMALL, OTHER, THIRD, ...Array.from({ length: 17 }, () => SMALL)]);
  await expect(page.getByText('A message has at most three photos')).toBeVisible();
  await expect(addedPhotos(page)).toHaveCount(3);
  await expect(photoInput(page)).toHaveCount(0);
  await axe(page);
  await fitsWidth(page, 320);
});

test('a report whose response is lost is sent again as the same report', async ({ page, signedIn, expectProblem }) => {
  expectProblem(/request failed: POST .*addclaim/);
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'A button is missing');
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  await page.route(`**/${addClaim.path}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sendButton(page).click();
  await expect(page.getByText('We could not reach the server')).toBeVisible();
  await page.unroute(`**/${addClaim.path}`);
  await page.reload();
  await expect(reports(page)).toHaveCount(1);
  await sendButton(page).click();
  await expect(page.getByText('We have your report')).toBeVisible();
  await expect(reports(page)).toHaveCount(1);
  await expect(sendButton(page)).toHaveCount(0);
  // A link about another problem opens the form.
  await page.goto(links.claims(orderid, 'amount'));
  await expect(page.getByRole('radio', { name: 'The amount is wrong' })).toBeChecked();
  expect(await sendCall(page.request, getClaims, { userid: customer.userid })).toHaveLength(1);
});

test('an upload that fails keeps the form, and works when it is tried again', async ({ page, signedIn, expectProblem }) => {
  expectProblem(/request failed: POST .*addphoto/);
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  await describe(page, 'A torn collar');
  await page.route('**/claims/addphoto**', (route) => route.abort());
  await photoInput(page).setInputFiles(SMALL);
  await expect(page.getByText('We could not reach the server')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toBeHidden();
  await page.unroute('**/claims/addphoto**');
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
});

test('an upload shows its progress and can be cancelled', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.claims(orderid));
  const release = Promise.withResolvers<void>();
  await page.route('**/claims/addphoto**', async (route) => {
    await release.promise;
    await route.abort();
  });
  await photoInput(page).setInputFiles(SMALL);
  await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toBeVisible();
  await expect(sendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await axe(page);
  await page.getByRole('button', { name: 'Cancel the upload' }).click();
  await expect(page.getByRole('progressbar', { name: 'Uploading a photo' })).toBeHidden();
  await expect(addedPhotos(page)).toHaveCount(0);
  release.resolve();
});

test('answers of the laundry, replies of the customer and the amount that it pays are in the thread', async ({
  page,
  program,
  signedIn,
}) => {
  const { userid, ...customer } = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, { userid, ...customer }, 1);
  const { claimid } = await sendCall(page.request, addClaim, { userid, orderid, kind: 'missing', message: 'One sock\nonly' });
  await page.goto(links.claims(orderid));
  // The laundry has not written yet.
  await reports(page).getByRole('button', { name: 'Add a message' }).click();
  await expect(reports(page).getByRole('textbox', { name: 'Your message' })).toBeFocused();
  await reports(page).getByRole('button', { name: 'Cancel' }).click();
  await answerClaim(program.db, claimid, 'We are looking for it.', program.clock.now());
  await page.reload();
  await expect(reports(page)).toContainText('Answered');
  await expect(reports(page)).toContainText('We are looking for it.');
  await reports(page).getByRole('button', { name: 'Reply' }).click();
  await reports(page).getByRole('button', { name: 'Send' }).click();
  await expect(reports(page)).toContainText('Please tell us what happened');
  await reports(page).getByRole('textbox', { name: 'Your reply' }).fill('It is the grey one.');
  await axe(page);
  await fitsWidth(page, 320);
  // The draft stays.
  await page.reload();
  await reports(page).getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('We have your message')).toBeVisible();
  await expect(reports(page)).toContainText('It is the grey one.');
  await expect(reports(page)).toContainText('Answer by');
  await settleClaim(program.db, { id: claimid, amountPaise: asPaise(15_050), message: 'It is lost.' }, program.clock.now());
  await page.reload();
  await expect(reports(page)).toContainText('Settled');
  await expect(reports(page)).toContainText('We paid ₹150.50 into your wallet.');
  await expect(reports(page)).toContainText('Not content? You can reply until');
  await expect(reports(page).getByRole('button', { name: 'Reply' })).toBeVisible();
  await axe(page);
  await page.goto(links.wallet());
  await expect(page.getByText('₹150.50').first()).toBeVisible();
  await expect(page.getByText('For your report')).toBeVisible();

  const undo = { reference: ledgerReference('claim', { claim: claimid }), reason: 'It was found', at: program.clock.now() };
  expect(await transaction(program.db, (tx) => reverseClaimCredit(tx, undo))).toMatchObject({ status: 'reversed' });
  const takenBack = 'The compensation of ₹150.50 was taken back from your wallet on Nov 21, 2026.';
  await page.goto(links.claims(orderid));
  await expect(reports(page)).toContainText(takenBack);
  await expect(reports(page).getByText('We paid')).toHaveCount(0);
  await page.goto(links.order(orderid));
  await expect(page.getByText(takenBack)).toBeVisible();
});

test('an answer of the laundry appears on the open page of the order, and in the open thread', async ({
  page,
  context,
  program,
  signedIn,
}) => {
  const { userid, ...customer } = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, { userid, ...customer }, 1);
  const { claimid } = await sendCall(page.request, addClaim, { userid, orderid, kind: 'late', message: 'Nobody came.' });
  const thread = await context.newPage();
  await thread.goto(links.claims(orderid));
  await expect(reports(thread)).toHaveCount(1);
  await page.goto(links.order(orderid));
  await expect(page.getByText('Answer by')).toBeVisible();
  await answerClaim(program.db, claimid, 'The rider is on the way.', program.clock.now());
  await expect(page.getByText('The rider is on the way.')).toBeVisible();
  await thread.bringToFront();
  await expect(reports(thread)).toContainText('The rider is on the way.');
});

test('a guest reports a problem with the order of this browser', async ({ page, newMobile }) => {
  const orderid = await placeGuestOrder(page.request, newMobile());
  await page.goto(links.claims(orderid));
  await describe(page, 'The trousers are not mine');
  await photoInput(page).setInputFiles(SMALL);
  await expect(addedPhotos(page)).toHaveCount(1);
  await sendButton(page).click();
  await expect(reports(page)).toContainText('The trousers are not mine');
});

test('the order of another customer has no reports and no form', async ({ page, browser, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const context = await browser.newContext({ baseURL: program.url, serviceWorkers: 'block' });
  const other = await context.newPage();
  await other.goto(links.claims(orderid));
  await expect(other.getByText('User not found')).toBeVisible();
  expect((await other.request.get(photoPath('A'))).status()).toBe(401);
  await context.close();
  await page.goto(links.claims('NOBODYS00000'));
  await expect(page.getByText('No order found with order number NOBODYS00000')).toBeVisible();
  await expect(sendButton(page)).toHaveCount(0);
});

test('the promise is in the footer, and states what the laundry pays', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Our promise' }).click();
  await expect(page).toHaveURL(links.promise());
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: 'Our promise' })).toBeVisible();
  for (const text of ['in front of you', 'up to ₹1,000 for each piece', 'within 48 hours', 'what we owe you to your wallet']) {
    await expect(main.getByText(text).first()).toBeVisible();
  }
  await axe(page);
  await fitsWidth(page, 320);
});
