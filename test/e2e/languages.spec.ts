/** The language choice between English and Hindi. docs/decisions/0017-languages.md. */
import type { BrowserContext } from '@playwright/test';
import { axe, expect, test, type Page } from './fixtures.ts';
import { hindi, hindiError, expectHindi } from './hindi.ts';

const html = (page: Page) => page.locator('html');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const setHindiCookie = (context: BrowserContext, url: string) => context.addCookies([{ name: 'lang', value: 'hi', url }]);

test('loads no other catalogue in English', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(html(page)).toHaveAttribute('lang', 'en');
  expect(loaded.filter((path) => /hi-|translation|\.json$/.test(path))).toEqual([]);
});

test('switches to Hindi with input and focus preserved, and stores the choice', async ({ page, context }) => {
  await page.goto('/auth/login');
  await page.getByLabel('Mobile Number').fill('98765');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Invalid mobile number')).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: 'हिन्दी' }).click();

  await expect(html(page)).toHaveAttribute('lang', 'hi');
  await expect(page).toHaveTitle(`${hindi('Login')} · Dhulai`);
  await expect(page.getByLabel(hindi('Mobile Number'))).toHaveValue('98765');
  await expect(page.getByText(hindiError('invalid-mobile'))).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'English' })).toBeFocused();
  const cookie = (await context.cookies()).find(({ name }) => name === 'lang');
  expect(cookie).toMatchObject({ value: 'hi', sameSite: 'Lax', path: '/' });
  await axe(page);

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(hindi('Login'));
  await expect(button(page, hindi('Login'))).toBeVisible();
  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login');
  await expect(html(page)).toHaveAttribute('lang', 'en');
});

test('corrects an English document from a shared cache', async ({ page, context, baseURL }) => {
  const english = await (await page.request.get('/contact')).text();
  await setHindiCookie(context, baseURL!);
  await page.route('**/contact', (route) => route.fulfill({ body: english, contentType: 'text/html; charset=utf-8' }));
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(hindi('Get in touch!'));
  await expect(html(page)).toHaveAttribute('lang', 'hi');
});

test('keeps the language and shows the reason if the catalogue does not load', async ({ page, expectProblem }) => {
  expectProblem(/request failed: GET .*\/assets\/hi-/);
  await page.goto('/contact');
  await page.route('**/assets/hi-*', (route) => route.abort());
  await page.getByRole('banner').getByRole('button', { name: 'हिन्दी' }).click();
  await expect(page.getByText('We could not reach the server, please check your connection and try again')).toBeVisible();
  await expect(html(page)).toHaveAttribute('lang', 'en');
});

test('translates messages of the server, with their values', async ({ page, context, baseURL, newMobile }) => {
  await setHindiCookie(context, baseURL!);
  await page.goto('/auth/login');
  await page.getByLabel(hindi('Mobile Number')).fill(newMobile());
  await page.getByLabel(hindi('Password'), { exact: true }).fill('six chars');
  await button(page, hindi('Login')).click();
  await expect(page.getByText(hindiError('user-unknown'))).toBeVisible();
  const mobile = newMobile();
  await page.goto('/auth/signup');
  await page.getByLabel(hindi('Name'), { exact: true }).fill('आशा वर्मा');
  await page.getByLabel(hindi('Mobile'), { exact: true }).fill(mobile);
  await page.getByLabel(hindi('Password'), { exact: true }).fill('six chars');
  await button(page, hindi('Sign up')).click();
  await expect(page.getByText(hindi('SMS sent successfully on +91{mobile}', mobile))).toBeVisible();
  await expect(button(page, hindi('Validate ({attempts} Attempts)', '3'))).toBeVisible();
  await expectHindi(page, 'the code');
});
