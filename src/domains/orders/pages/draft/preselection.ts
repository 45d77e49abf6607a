/** The preselection in the draft of a returning customer or guest. Pure functions. */
import { ADDRESS_FIELDS, type Address, type AddressForm } from '../../../addresses/contract.ts';
import type { Order } from '../../contract.ts';
import { cartActions, deliveryAddressOf, type Draft, type ExpectedLoad } from './cart-state.ts';

/** The newest orders, newest first, and the saved addresses, of which a guest has none. */
export interface CustomerHistory {
  orders: readonly Order[];
  addresses: readonly Address[];
}

/** The lines that identify a place. An order keeps a copy of its address, without the id. */
const PLACE = ['address1', 'address2', 'landmark'] as const;

/** Returns the saved address of the last order; undefined if it was deleted or changed. */
export const addressOfLastOrder = ({ orders: [last], addresses }: CustomerHistory): Address | undefined =>
  last && addresses.find((address) => PLACE.every((line) => address[line] === last[line]));

/** Returns the load of a weighed order, which the customer expects again. */
export const loadOf = ({ total_weight: weight, total_items: items }: Order): ExpectedLoad | null =>
  weight === null ? null : { items: items ?? 0, gramsLow: weight, gramsHigh: weight };

function guestAddressOf(order: Order): AddressForm {
  const fields = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, order[field]])) as Pick<Order, (typeof ADDRESS_FIELDS)[number]>;
  return { ...fields, area: order.area };
}

/**
 * Selects the area of the last order and its address, or the only saved address. Keeps what was
 * selected in this tab, and selects no address in another area than the selected one.
 */
export function preselect(draft: Draft, history: CustomerHistory, userid: string | null): Draft {
  const [last] = history.orders;
  const isFree = deliveryAddressOf(draft, userid) === null;
  const fits = ({ area }: AddressForm) => draft.area === 'none' || !area || area === draft.area;
  let selected = draft;
  if (isFree && userid === null) {
    const address = last && guestAddressOf(last);
    if (address && fits(address)) selected = cartActions.saveGuestAddress(draft, address);
  } else if (isFree) {
    const address = addressOfLastOrder(history) ?? (history.addresses.length === 1 ? history.addresses[0] : undefined);
    if (address && fits(address)) selected = cartActions.chooseAddress(draft, address);
  }
  return selected.area === 'none' && last ? cartActions.chooseArea(selected, last.area) : selected;
}
