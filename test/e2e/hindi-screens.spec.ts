/**
 * Every screen in Hindi at 320 px: no English text of the program, no horizontal scrolling.
 * docs/decisions/0017-languages.md.
 */
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { addClaim, CLAIM_KINDS } from '../../src/domains/claims/contract.ts';
import { answerClaim, settleClaim } from '../../src/domains/claims/service.server.ts';
import { addReview } from '../../src/domains/reviews/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import type { Mobile } from '../../src/lib/mobile.ts';
import { asPaise } from '../../src/lib/money.ts';
import { encodeReferralCode } from '../../src/lib/referral-code.ts';
import { links } from '../../src/shared/links.ts';
import { webviewLinks } from '../../src/shared/webview-links.ts';
import { expect, sendCall, test, type Page } from './fixtures.ts';
import { hindi, expectHindi } from './hindi.ts';
import { advanceOrder, placeOrders } from './ordering.ts';

const visitAll = async (page: Page, paths: readonly string[]) => {
  for (const path of paths) {
    await page.goto(path);
    await expectHindi(page, path);
  }
};

test.use({ viewport: { width: 320, height: 700 } });

test.beforeEach(async ({ context, baseURL }) => {
  await context.addCookies([{ name: 'lang', value: 'hi', url: baseURL! }]);
  // The user agent of an in-app browser: it does not redirect to an app store.
  await context.addInitScript(() => Object.defineProperty(navigator, 'userAgent', { value: 'WhatsApp' }));
});

test('screens of a signed-out visitor', async ({ page, expectProblem }) => {
  expectProblem(/response 404: GET .*nowhere/);
  await visitAll(page, [
    links.home(),
    links.reviews(),
    links.refer(),
    links.contact(),
    links.promise(),
    links.privacy(),
    links.downloadApp(),
    links.stages(),
    links.overview(),
    links.login(),
    links.signUp(),
    links.forgotPassword(),
    links.newPassword(),
    links.orders(),
    links.profile(),
    '/offline',
    '/outbox',
    webviewLinks.signUp(),
    webviewLinks.flForgotPassword(),
    webviewLinks.newPassword(),
    webviewLinks.refer(),
    '/pay/nothing-of-that-name/10',
    '/nowhere/at/all/of/it',
  ]);
});

const home = {
  name: 'आशा वर्मा',
  address1: 'फ़्लैट 12',
  address2: 'टावर बी',
  landmark: 'पानी की टंकी के सामने',
  pincode: '122052',
  city: 'Gurugram',
  state: 'Haryana',
};

test('screens of a customer', async ({ page, program: { db, clock }, program, signedIn }) => {
  const customer = await signedIn({ name: 'आशा वर्मा' });
  const { userid, mobile } = customer;
  const { addressid } = await sendCall(page.request, addAddress, { ...home, mobile, userid });
  const [fresh = '', queued = '', delivered = ''] = await placeOrders(page.request, customer, 3, addressid);
  await advanceOrder(program, queued, 'queue');
  await advanceOrder(program, delivered, 'delivered');
  const credit = { customerId: userid, amountPaise: asPaise(50_000), reason: 'A test', at: clock.now() };
  for (const kind of ['promotion', 'compensation', 'change', 'cashback'] as const)
    await creditWallet(db, { ...credit, kind, reference: `hindi:${kind}:${userid}` });
  for (const kind of CLAIM_KINDS) {
    const { claimid } = await sendCall(page.request, addClaim, { userid, orderid: delivered, kind, message: 'एक कमीज़' });
    if (kind === 'late') await answerClaim(db, claimid, 'हम देख रहे हैं', clock.now());
    if (kind === 'amount') await settleClaim(db, { id: claimid, amountPaise: asPaise(10_000), message: 'ठीक है' }, clock.now());
  }
  await sendCall(page.request, addReview, { userid, star: 5, message: 'बढ़िया' });
  await visitAll(page, [
    links.home(),
    links.reviews(),
    links.refer(),
    links.profile(),
    links.dataCopy(),
    links.deleteAccount(),
    links.wallet(),
    links.addresses(),
    links.addAddress(),
    links.editAddress(addressid),
    links.editAddress('nobodys'),
    links.orders(),
    links.order(fresh),
    links.order(queued),
    links.order(delivered),
    links.order('NOBODYS00000'),
    links.claims(fresh),
    links.claims(delivered),
    links.claims('NOBODYS00000'),
    links.bill(fresh),
    links.bill(delivered),
    links.walletPayment(queued),
    links.walletPayment(fresh),
    `/${encodeReferralCode(mobile as Mobile)}`,
  ]);

  await page.goto(links.order(queued));
  await page.getByRole('button', { name: new RegExp(hindi('Pay {amount} online', '.*')) }).click();
  await expect(page.getByRole('heading', { name: hindi('Sandbox payment') })).toBeVisible();
  await expectHindi(page, 'the sandbox gateway');
});

test('overlays, and an order from home to the confirmation', async ({ page, signedIn }) => {
  const { userid, mobile } = await signedIn({ name: 'आशा वर्मा' });
  await visitAll(page, [links.orders(), links.wallet(), links.addresses()]);
  await sendCall(page.request, addAddress, { ...home, mobile, userid });
  const press = (name: string, value?: string) =>
    page
      .getByRole('button', { name: hindi(name, value), exact: true })
      .first()
      .click();
  const dialog = page.getByRole('dialog');

  await page.goto(links.reviews());
  await press('Write a Review');
  await expect(dialog).toBeVisible();
  await press('Submit');
  await expectHindi(page, 'the review form');

  await page.goto(links.home());
  await press('Hi, {name}', 'आशा वर्मा');
  await expectHindi(page, 'the menu');
  await page.keyboard.press('Escape');
  await press('Estimate my price');
  await dialog
    .getByRole('button', { name: hindi('One more: {garment}', hindi('T-shirt')) })
    .first()
    .click();
  await expectHindi(page, 'the estimate');
  await press('Close');

  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${hindi('Wash')} `) })
    .first()
    .click();
  await expectHindi(page, 'the cart, area');
  await dialog.getByRole('radio').first().check();
  await press('Proceed');
  await expectHindi(page, 'the cart, options');
  await press('Proceed');
  await dialog.getByRole('radio').first().check();
  await expectHindi(page, 'the cart, address');
  await dialog.getByRole('link', { name: hindi('Review details') }).click();
  await expectHindi(page, links.stages());
  await press('Confirm Order');
  await expectHindi(page, links.overview());
  await page.getByRole('link', { name: hindi('Place Order') }).click();
  await expect(page.getByRole('heading', { level: 1, name: hindi('Thank you, your order is placed!') })).toBeVisible();
  await expectHindi(page, links.confirm());
});
