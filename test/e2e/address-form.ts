/** The address form of the address pages, the dialogs and the cart. */
import type { Page } from '@playwright/test';
import type { AddressForm } from '../../src/domains/addresses/contract.ts';

export const addressLabels = {
  name: 'Name',
  mobile: 'Mobile',
  address1: 'Address 1',
  address2: 'Address 2',
  landmark: 'Landmark',
} as const;

type TypedField = keyof typeof addressLabels;

/** The name of the area's radio button in the form. The area of the order has the same options. */
export const areaOption = (page: Page, name: 'Manesar' | 'Vatika India Next') =>
  page.getByRole('group', { name: 'Area', exact: true }).getByRole('radio', { name });

/** Types the address and selects its area. */
export async function fillAddress(page: Page, address: AddressForm, area: 'Manesar' | 'Vatika India Next' = 'Manesar') {
  for (const [field, label] of Object.entries(addressLabels)) {
    await page.getByLabel(label, { exact: true }).fill(address[field as TypedField]);
  }
  await areaOption(page, area).check();
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save' });
