/** Steps on the ordering screens, for specs that need an order. */
import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { links } from '../../src/shared/links.ts';
import { home } from '../support/ordering.ts';
import { sendCall, type TestCustomer } from './sign-up.ts';

export const AREA_NAMES = { manesar: 'Manesar', vatika: 'Vatika India Next' } as const;
export type AreaName = (typeof AREA_NAMES)[keyof typeof AREA_NAMES];
export const SERVICES = ['Wash', 'Wash + Iron', 'Iron'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Saves an address of the signed-in customer. */
export const saveAddress = (request: APIRequestContext, { userid, name, mobile }: TestCustomer) =>
  sendCall(request, addAddress, { ...home, userid, name, mobile });

export const tile = (page: Page, service: ServiceName) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${service.replace('+', '\\+')} [^+]`) });
export const cart = (page: Page) => page.getByRole('dialog');
export const proceed = (page: Page) => cart(page).getByRole('button', { name: 'Proceed' });

/** Selects area and service on home and opens the address stage of the cart. */
export async function chooseService(page: Page, service: ServiceName, area: AreaName) {
  await page.goto('/');
  await page.getByRole('main').getByRole('radio', { name: area }).check();
  await tile(page, service).click();
  await proceed(page).click();
  await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeVisible();
}

/** Goes from the address stage to the summary, with the customer's only address. */
export async function goToOverview(page: Page, { name }: TestCustomer) {
  await cart(page)
    .getByRole('radio', { name: new RegExp(name) })
    .check();
  await cart(page).getByRole('link', { name: 'Review details' }).click();
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(page.getByRole('heading', { name: 'Order summary' })).toBeVisible();
}

/** Goes to the verification of the mobile on /confirm, with Wash in Vatika and a guest address. */
export async function goToGuestVerification(page: Page, mobile: string) {
  await chooseService(page, 'Wash', 'Vatika India Next');
  await cart(page).getByRole('button', { name: 'Checkout as guest' }).click();
  const fields = { Name: 'Asha Verma', Mobile: mobile, 'Address 1': 'House 12', 'Address 2': 'Block C', Landmark: 'Water tank' };
  for (const [label, text] of Object.entries(fields)) await cart(page).getByLabel(label, { exact: true }).fill(text);
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: 'Verify your mobile number' })).toBeVisible();
}

/** Expects that a phone shows the element completely, above its tab bar. */
export async function isAboveTabs(page: Page, element: Locator) {
  await expect(element).toBeInViewport({ ratio: 1 });
  const tabs = (await page.getByRole('navigation', { name: /^(Main|मुख्य)/ }).boundingBox())!;
  const box = (await element.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(tabs.y);
}

/** The section of the customer's page of an order that has the hand-over code. */
export const handOverCode = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Hand-over code' }) });

/** Opens the order as its customer, and returns its hand-over code. */
export async function readHandOverCode(page: Page, orderid: string): Promise<string> {
  await page.goto(links.order(orderid));
  return (
    (await handOverCode(page)
      .getByText(/^\d{4}$/)
      .textContent()) ?? ''
  );
}

/** Returns the element with the value of a label in the order details. */
export const detail = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('dt', { hasText: new RegExp(`^${label.replace(/[()]/g, '\\$&')}$`) })
    .locator('xpath=following-sibling::dd');

/** Reports a UPI payment as paid, from the payment methods or the QR code. */
export async function confirmUpiPayment(page: Page) {
  await page.getByRole('button', { name: 'I have paid', exact: true }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, I have paid' }).click();
}
