/**
 * The hosted bot checks in the browser, under the content security policy of the documents.
 * Stand-ins replace the scripts of the services.
 */
import { NO_EXTERNAL_SOURCES, documentPolicy, type ExternalSources } from '../../src/security/security-headers.server.ts';
import { hostedChecks, type HostedCheck } from '../../src/domains/bot-check/contract.ts';
import { expect, test as base, type Page } from './fixtures.ts';

interface Fixtures {
  /** Opens a page that uses the check, and requests a proof. `sources` are those of its policy. */
  open(check: HostedCheck, sources?: ExternalSources): Promise<void>;
}

const test = base.extend<Fixtures>({
  open: async ({ page, servePage }, use) =>
    use(async (kind, sources = hostedChecks[kind]) => {
      const url = await servePage({ folder: 'bot-check', policy: documentPolicy([], [], sources) });
      await page.goto(`${url}?check=${encodeURIComponent(JSON.stringify({ kind, siteKey: 'public' }))}`);
      await page.getByRole('button').click();
    }),
});

/**
 * The parts of the services' scripts that the site uses. The policy must also allow their `frame`.
 */
const SCRIPTS: Record<HostedCheck, string> = {
  turnstile: `window.turnstile = {
    render(place, { sitekey, action, callback }) {
      const frame = document.createElement('iframe');
      frame.src = 'https://challenges.cloudflare.com/frame';
      frame.onload = () => callback(['turnstile', sitekey, action].join(' '));
      place.append(frame);
      return 'id';
    },
    remove(id) { document.body.dataset.removed = id; },
  };`,
  recaptcha: `window.grecaptcha = {
    ready(then) { setTimeout(then); },
    render(place, widget) { this.widget = widget; place.append('badge'); return 7; },
    execute(id) { this.widget.callback(['recaptcha', this.widget.sitekey, this.widget.size, id].join(' ')); },
  };`,
};

const play = (page: Page, kind: HostedCheck, script = SCRIPTS[kind]) =>
  page
    .context()
    .route(/challenges\.cloudflare\.com|google\.com/, (route) =>
      route.request().resourceType() === 'script'
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: 'a frame' }),
    );

const outcome = (page: Page) => expect(page.locator('output'));

test('Turnstile: returns its token as the proof and removes its widget', async ({ page, open }) => {
  await play(page, 'turnstile');
  await open('turnstile');
  await outcome(page).toHaveText('proof: turnstile public sendcode');
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(page.locator('body')).toHaveAttribute('data-removed', 'id');
});

test('reCAPTCHA: returns its token as the proof and loads the script once for two proofs', async ({ page, open }) => {
  let loads = 0;
  page.on('request', (request) => (loads += Number(request.url().startsWith('https://www.google.com/'))));
  await play(page, 'recaptcha');
  await open('recaptcha');
  await outcome(page).toHaveText('proof: recaptcha public invisible 7');
  await page.locator('output').evaluate((output) => output.replaceChildren());
  await page.getByRole('button').click();
  await outcome(page).toHaveText('proof: recaptcha public invisible 7');
  expect(loads).toBe(1);
});

test('fails if the check reports an error', async ({ page, open }) => {
  await play(page, 'turnstile', "window.turnstile = { render: (place, widget) => { widget['error-callback'](); }, remove() {} };");
  await open('turnstile');
  await outcome(page).toHaveText('BotCheckFailed: The bot check failed');
});

test('fails if the script does not load, and loads it again for the next proof', async ({ page, open, expectProblem }) => {
  expectProblem(/request failed: GET https:\/\/challenges\.cloudflare\.com/);
  await page.context().route(/challenges\.cloudflare\.com/, (route) => route.abort('failed'));
  await open('turnstile');
  await outcome(page).toHaveText('BotCheckFailed: The script of the bot check did not load');
  await page.context().unroute(/challenges\.cloudflare\.com/);
  await play(page, 'turnstile');
  await page.getByRole('button').click();
  await outcome(page).toHaveText('proof: turnstile public sendcode');
});

test('the policy for ALTCHA blocks scripts of hosted checks', async ({ page, open, expectProblem }) => {
  expectProblem(/content security policy: script-src-elem blocked https:\/\/challenges\.cloudflare\.com/);
  expectProblem(/console\.error: .*violates the following Content Security Policy/);
  expectProblem(/request failed: GET https:\/\/challenges\.cloudflare\.com\S* csp/);
  await play(page, 'turnstile');
  await open('turnstile', NO_EXTERNAL_SOURCES);
  await outcome(page).toHaveText('BotCheckFailed: The script of the bot check did not load');
});
