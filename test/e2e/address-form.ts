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

export async function fillAddress(page: Page, address: AddressForm) {
  for (const [field, label] of Object.entries(addressLabels)) {
    await page.getByLabel(label, { exact: true }).fill(address[field as keyof AddressForm]);
  }
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save' });
