/**
 * Sign-up, log-in, an order and its payment in a demonstration and in live mode, and the passkeys
 * of the staff in live mode: behind a TLS proxy, with the bot check and with stand-ins of MSG91 and
 * Razorpay, which are behind TLS proxies too.
 */
import { reportError } from '../../src/domains/error-reports/contract.ts';
import { getOffers } from '../../src/domains/offers/contract.ts';
import { NOTIFICATION_KINDS } from '../../src/domains/notifications/contract.ts';
import { getOrders } from '../../src/domains/orders/contract.ts';
import { codeText } from '../../src/domains/verification/rules.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { codeIn, MSG91_KEY, MSG91_TEMPLATE, startMsg91 } from '../support/msg91-stand-in.ts';
import { urlOf } from '../support/postgres.ts';
import { eventOf, startRazorpay } from '../support/razorpay-stand-in.ts';
import { stopStandIns } from '../support/stand-in.ts';
import { copyTemplate, startBuiltProgram, type BrowserTestProgram } from './built-program.ts';
import { newestCode } from './codes.ts';
import { expect, test as base, type Page } from './fixtures.ts';
import { advanceOrder } from './ordering.ts';
import { chooseService, detail, goToOverview, saveAddress } from './order-steps.ts';
import { addStaff, logInStaff } from './staff-steps.ts';
import { startTlsProxy, trustTlsProxy, type TlsProxy } from './tls-proxy.ts';

type Mode = 'demo' | 'live';

interface Site {
  program: BrowserTestProgram;
  /** In live mode only. */
  proxy: TlsProxy | undefined;
  /** Returns the newest code that the mobile has received. */
  codeFor(page: Page, mobile: string): Promise<string>;
  /** Pays on the page that 'Pay ₹… online' opens, and returns to the site. */
  payAtGateway(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** A demonstration with the bot check, as `npm start` runs it. */
async function startDemo(clock: FakeClock): Promise<Site> {
  const database = await copyTemplate();
  const program = await startBuiltProgram(database.connection, { BOT_CHECK: 'altcha' }, clock);
  return {
    program,
    proxy: undefined,
    codeFor: newestCode,
    payAtGateway: (page) => page.getByRole('button', { name: 'Pay', exact: true }).click(),
    stop: async () => {
      await program.stop();
      await database.drop();
    },
  };
}

async function startLive(clock: FakeClock): Promise<Site> {
  const database = await copyTemplate();
  const msg91 = await startMsg91(codeText('##code##', { brand: 'Dhulai', host: 'localhost' }));
  const razorpay = await startRazorpay();
  const [proxy, msg91Proxy, razorpayProxy] = await Promise.all([startTlsProxy(), startTlsProxy(msg91.url), startTlsProxy(razorpay.url)]);
  const undoTrust = trustTlsProxy();
  const settings = {
    ...razorpay.settings,
    MODE: 'live',
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'a secret for tests, at least 32 bytes',
    PUBLIC_URL: proxy.url,
    TRUST_PROXY: '1',
    BRAND_EMAIL: 'help@laundry.example',
    BRAND_MOBILE: '+91 98765 00000',
    BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
    BOT_CHECK: 'altcha',
    SMS_PROVIDER: 'msg91',
    MSG91_AUTH_KEY: MSG91_KEY,
    MSG91_TEMPLATE_ID: MSG91_TEMPLATE,
    MSG91_TEMPLATE_ANSWERED: 'the only kind that is set up',
    MSG91_URL: msg91Proxy.url,
    RAZORPAY_URL: razorpayProxy.url,
  };
  const program = await startBuiltProgram(database.connection, settings, clock);
  proxy.target = program.url;
  return {
    program,
    proxy,
    codeFor: async (_page, mobile) => codeIn(msg91.phones.findLast((message) => message.mobile === `91${mobile}`)?.text ?? ''),
    payAtGateway: async (page) => {
      await expect(page).toHaveURL(/^https:\/\/rzp\.example\//);
      const [link] = razorpay.links;
      if (!link) throw new Error('the program has created no link');
      razorpay.pay(link);
      const { body, headers } = eventOf(link);
      const options = { data: body, headers: { ...headers, 'content-type': 'application/json' } };
      expect((await page.request.post(`${proxy.url}/payments/webhook/razorpay`, options)).status()).toBe(200);
      await page.goto(`${link.callback_url}?razorpay_payment_link_status=paid`);
    },
    stop: async () => {
      await program.stop();
      await Promise.all([proxy, msg91Proxy, razorpayProxy].map((server) => server.stop()));
      await stopStandIns();
      undoTrust();
      await database.drop();
    },
  };
}

const test = base.extend<{ mode: Mode; site: Site }>({
  mode: ['live', { option: true }],
  site: async ({ mode, program: { clock } }, use) => {
    const site = await (mode === 'live' ? startLive(clock) : startDemo(clock));
    await use(site);
    await site.stop();
    expect(site.program.log).toEqual([]);
  },
  baseURL: async ({ site: { program, proxy } }, use) => use(proxy?.url ?? program.url),
  ignoreHTTPSErrors: true,
});

for (const mode of ['demo', 'live'] as const) {
  test.describe(mode, () => {
    test.use({ mode });

    test('a visitor signs up, logs in again, orders and pays online', async ({ page, context, site, newMobile }) => {
      const who = { name: 'Asha Verma', mobile: newMobile(), password: 'six chars' };
      const menu = page.getByRole('button', { name: `Hi, ${who.name}` });
      await page.goto('/auth/signup');
      await page.getByLabel('Name').fill(who.name);
      await page.getByLabel('Mobile').fill(who.mobile);
      await page.getByLabel('Password', { exact: true }).fill(who.password);
      await page.getByRole('button', { name: 'Sign up' }).click();
      await expect(page.getByText(`SMS sent successfully on +91${who.mobile}`)).toBeVisible();
      // The calls of home for the customer would be refused after the log-out.
      const reads = Promise.all(
        [getOrders, getOffers].map(({ path }) => page.waitForResponse((response) => response.url().endsWith(path))),
      );
      await page.getByLabel('OTP').fill(await site.codeFor(page, who.mobile));
      await reads;
      await menu.click();
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByText('Account logged out successfully')).toBeVisible();

      await page.goto(links.login());
      await page.getByLabel('Mobile Number').fill(who.mobile);
      await page.getByLabel('Password', { exact: true }).fill(who.password);
      await page.keyboard.press('Enter');
      await expect(menu).toBeVisible();
      const session = (await context.cookies()).find(({ name }) => name.endsWith('session'));
      expect(session).toMatchObject({
        httpOnly: true,
        ...(mode === 'live' ? { name: '__Host-session', secure: true } : { name: 'session' }),
      });

      const { id: userid } = await site.program.db
        .selectFrom('customers')
        .select('id')
        .where('mobile', '=', who.mobile)
        .executeTakeFirstOrThrow();
      const customer = { ...who, userid };
      await saveAddress(page.request, customer);
      await chooseService(page, 'Wash', 'Manesar');
      await goToOverview(page, customer);
      await page.getByRole('link', { name: 'Place Order' }).click();
      await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
      const orderid = (await detail(page, 'Order No').textContent()) ?? '';

      await advanceOrder(site.program, orderid, 'queue');
      await page.route('https://rzp.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Razorpay</title>' }),
      );
      await page.goto(links.order(orderid));
      await expect(page.getByRole('heading', { name: 'Help with this order' })).toBeVisible();
      // Only the demonstration has a number without a setting.
      const whatsApp = page.getByRole('main').getByRole('link', { name: 'WhatsApp' });
      await expect(whatsApp).toHaveCount(mode === 'live' ? 0 : 1);
      await page.getByRole('button', { name: /^Pay ₹[\d,.]+ online$/ }).click();
      await site.payAtGateway(page);
      await expect(page.getByText('Payment received')).toBeVisible();
      await expect(detail(page, 'Order No')).toHaveText(orderid);
      await expect(detail(page, 'Paid now')).toHaveText('₹286.14');
    });
  });
}

/** Gives a browser an authenticator, which confirms without a person. */
async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options });
  return async () => (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

for (const role of ['owner', 'operator'] as const) {
  test(`an ${role} has to add a passkey at the first log-in, and to use it at the next`, async ({ page, context, site, newMobile }) => {
    const mobile = newMobile();
    await addStaff(site.program, role, 'Anita Desai', mobile);
    const credentials = await addAuthenticator(page);
    const heading = page.getByRole('heading', { level: 1, name: 'Your account' });
    const sessions = async () => (await context.cookies()).filter(({ name }) => name.endsWith('staff'));
    await page.goto(staffLinks.account());
    await logInStaff(page, mobile);
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
    expect(await sessions()).toEqual([]);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(heading).toBeVisible();
    expect(await sessions()).toMatchObject([{ name: '__Host-staff', httpOnly: true, secure: true, sameSite: 'Strict' }]);
    expect(await credentials()).toMatchObject([{ rpId: 'localhost', signCount: 1 }]);

    await page.getByRole('button', { name: 'Anita Desai' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await logInStaff(page, mobile);
    await expect(page.getByRole('button', { name: 'Use the passkey' })).toBeVisible();
    expect(await sessions()).toEqual([]);
    await page.getByRole('button', { name: 'Use the passkey' }).click();
    await expect(heading).toBeVisible();
    expect(await credentials()).toMatchObject([{ signCount: 2 }]);
  });
}

test('the owner reads on System which SMS are not set up, and not that all is well', async ({ page, site, newMobile }) => {
  const mobile = newMobile();
  await addStaff(site.program, 'owner', 'Anita Desai', mobile);
  await addAuthenticator(page);
  await page.goto(staffLinks.system());
  await logInStaff(page, mobile);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const health = page.getByRole('region', { name: 'Is everything working?' });
  await expect(health.getByText('Everything that is set up is working')).toBeVisible();
  await expect(health.getByText('There is no backup yet', { exact: true })).toBeVisible();
  await expect(health.getByText('Some SMS about orders are not sent')).toBeVisible();
  await expect(health.getByRole('listitem')).toHaveCount(NOTIFICATION_KINDS.length - 1);
  await expect(health.getByRole('listitem').filter({ hasText: 'Order placed' })).toBeVisible();
  await expect(health.getByRole('listitem').filter({ hasText: 'Answer to a problem' })).toHaveCount(0);
  await expect(page.getByText('None. Every SMS of the last 30 days that is set up went out.')).toBeVisible();
});

test('a rider needs no passkey', async ({ page, site, newMobile }) => {
  const mobile = newMobile();
  await addStaff(site.program, 'rider', 'Ravi Kumar', mobile);
  await page.goto(staffLinks.round());
  await logInStaff(page, mobile);
  await expect(page.getByRole('heading', { level: 1, name: 'Round' })).toBeVisible();
});

test('visitors behind the proxy are different networks, and cannot choose theirs', async ({ site: { proxy }, request }) => {
  const report = async (clientAddress: string, headers: Record<string, string> = {}) => {
    proxy!.clientAddress = clientAddress;
    return (await request.post(`/${reportError.path}`, { data: { error: 'a test' }, headers })).status();
  };
  const statuses: number[] = [];
  for (let sent = 0; sent < 21; sent += 1) statuses.push(await report('198.51.100.1', { 'x-forwarded-for': `192.0.2.${sent}` }));
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  expect(await report('203.0.113.7')).toBe(200);
});
