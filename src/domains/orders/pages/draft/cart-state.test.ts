import { describe, expect, test } from 'vitest';
import { asPaise } from '../../../../lib/money.ts';
import type { Address } from '../../../addresses/contract.ts';
import type { Service } from '../../../catalogue/rules.ts';
import {
  EMPTY_DRAFT,
  calculateRates,
  missingParts,
  otherAddressArea,
  cartActions,
  deliveryAddressOf,
  proceedAction,
  isSameOrder,
  type CartStage,
  type Draft,
  type MissingPart,
  type ProceedAction,
} from './cart-state.ts';

const service = (programid: string, manesar: number, vatika: number): Service => ({
  programid,
  name: programid,
  unit: 'kg',
  description: '',
  rates: { manesar: asPaise(manesar), vatika: asPaise(vatika) },
});
const wash = service('wash', 3800, 4800);
const iron = service('iron', 4500, 5000);

const guestAddress = {
  name: 'Asha',
  mobile: '9000000001',
  address1: 'House 1',
  address2: 'Street 2',
  landmark: 'Park',
  pincode: '122052',
  city: 'Gurugram',
  state: 'Haryana',
};
const saved: Address = { ...guestAddress, addressid: 'A1', userid: 'U1', area: null };

const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...change });

const shown = ({ stage, area, service }: Draft) => [stage, area, service?.programid ?? null];

describe('the actions of the cart', () => {
  const at = (stage: CartStage, area: Draft['area'], open = true) => draft({ stage, area, service: open ? wash : null });
  test.each<[string, Draft, (before: Draft) => Draft, ReturnType<typeof shown>]>([
    ['a service without an area opens at the area', draft({}), (d) => cartActions.pick(d, wash), [0, 'none', 'wash']],
    ['a service with an area opens at the options', at(1, 'vatika', false), (d) => cartActions.pick(d, iron), [1, 'vatika', 'iron']],
    [
      'a service opens at the options, wherever the cart was left',
      at(2, 'manesar', false),
      (d) => cartActions.pick(d, wash),
      [1, 'manesar', 'wash'],
    ],
    ['choosing the area keeps the stage', at(0, 'none'), (d) => cartActions.chooseArea(d, 'vatika'), [0, 'vatika', 'wash']],
    ['there is no next stage without an area', at(0, 'none'), cartActions.proceed, [0, 'none', 'wash']],
    ['the options follow the area', at(0, 'manesar'), cartActions.proceed, [1, 'manesar', 'wash']],
    ['the address follows the options', at(1, 'manesar'), cartActions.proceed, [2, 'manesar', 'wash']],
    ['the address is the last stage', at(2, 'manesar'), cartActions.proceed, [2, 'manesar', 'wash']],
    ['change goes back to the area and keeps it', at(2, 'manesar'), cartActions.change, [0, 'manesar', 'wash']],
    ['closing without an area returns to the area', at(0, 'none'), cartActions.close, [0, 'none', null]],
    ['closing at the area with an area returns to the options', at(0, 'vatika'), cartActions.close, [1, 'vatika', null]],
    ['closing at the address returns to the options', at(2, 'vatika'), cartActions.close, [1, 'vatika', null]],
  ])('the cart changes its stage: %s', (_what, before, action, after) => {
    expect(shown(action(before))).toEqual(after);
  });

  test('closing retains address and slot', () => {
    const closed = cartActions.close(draft({ service: wash, area: 'manesar', address: saved, slotChosen: false }));
    expect(closed).toMatchObject({ address: saved, slotChosen: false });
  });

  test('the order is for the area of the address that is selected', () => {
    const before = draft({ service: wash, area: 'manesar' });
    expect(cartActions.chooseAddress(before, { ...saved, area: 'vatika' })).toMatchObject({ area: 'vatika' });
    expect(cartActions.saveGuestAddress(before, { ...guestAddress, area: 'vatika' })).toMatchObject({ area: 'vatika' });
  });

  test('an address without an area, or no address, keeps the area of the order', () => {
    const before = draft({ service: wash, area: 'manesar' });
    for (const address of [saved, null]) expect(cartActions.chooseAddress(before, address)).toMatchObject({ area: 'manesar' });
    for (const address of [guestAddress, null]) expect(cartActions.saveGuestAddress(before, address)).toMatchObject({ area: 'manesar' });
  });

  test('another area keeps the address, which is then in another area than the order', () => {
    const inVatika = { ...saved, area: 'vatika' } as const;
    const changed = cartActions.chooseArea(cartActions.chooseAddress(draft({ service: wash }), inVatika), 'manesar');
    expect(changed).toMatchObject({ area: 'manesar', address: inVatika });
    expect([otherAddressArea(changed, 'U1'), missingParts(changed, 'U1')]).toEqual(['vatika', ['address-in-area']]);
    expect(otherAddressArea(cartActions.chooseArea(changed, 'vatika'), 'U1')).toBeNull();
  });

  test('the expected load does not make another order, and a repeated order opens at the last stage', () => {
    const load = { items: 7, gramsLow: 1900, gramsHigh: 2900 };
    const before = cartActions.chooseDay(draft({ service: wash, area: 'manesar', address: saved, slotChosen: false }), '2026-11-24');
    expect(isSameOrder(before, cartActions.expectLoad(before, load))).toBe(true);
    const again = cartActions.repeat(before, { service: iron, area: 'vatika', load });
    expect(again).toMatchObject({
      service: iron,
      area: 'vatika',
      stage: 2,
      slotChosen: true,
      chosenDay: null,
      address: null,
      expectedLoad: load,
    });
  });

  test('the slot is chosen initially and toggled by each tap', () => {
    const cleared = cartActions.toggleSlot(EMPTY_DRAFT);
    expect([EMPTY_DRAFT.slotChosen, cleared.slotChosen, cartActions.toggleSlot(cleared).slotChosen]).toEqual([true, false, true]);
  });
});

test.each<[string, Partial<Draft>, string | null, ProceedAction]>([
  ['stage 0, no area', { stage: 0, service: wash }, null, 'disabled'],
  ['stage 1, no area', { stage: 1, service: wash }, null, 'disabled'],
  ['stage 2, no area', { stage: 2, service: wash, guestAddress }, null, 'disabled'],
  ['stage 0', { stage: 0, service: wash, area: 'manesar' }, null, 'next-stage'],
  ['stage 1', { stage: 1, service: wash, area: 'manesar' }, null, 'next-stage'],
  ['stage 2 without an address', { stage: 2, service: wash, area: 'manesar' }, 'U1', 'show-missing-parts'],
  ['stage 2 without the slot', { stage: 2, service: wash, area: 'vatika', address: saved, slotChosen: false }, 'U1', 'show-missing-parts'],
  ['stage 2 with an address', { stage: 2, service: wash, area: 'vatika', address: saved }, 'U1', 'place-order'],
  ['stage 2 as a guest', { stage: 2, service: wash, area: 'vatika', guestAddress }, null, 'place-order'],
])('proceedAction at %s returns the action', (_at, change, userid, action) => {
  expect(proceedAction(draft(change), userid)).toBe(action);
});

describe('missingParts returns', () => {
  const complete: Partial<Draft> = { area: 'manesar', service: wash, address: saved, guestAddress };

  test.each<[string, Partial<Draft>, string | null, MissingPart[]]>([
    ['all parts but the slot, which is preset', {}, null, ['program', 'area', 'address']],
    ['nothing, signed in', complete, 'U1', []],
    ['nothing, as a guest', complete, null, []],
    ['the slot', { ...complete, slotChosen: false }, 'U1', ['slot']],
    ['the address, if only a guest’s is set', { ...complete, address: null }, 'U1', ['address']],
    ['the address, if signed out with a saved one', { ...complete, guestAddress: null }, null, ['address']],
    ['the address, if it belongs to another customer', complete, 'U2', ['address']],
  ])('%s', (_what, change, userid, missing) => {
    expect(missingParts(draft(change), userid)).toEqual(missing);
  });

  test('deliveryAddressOf returns the customer’s address or the guest’s', () => {
    expect(deliveryAddressOf(draft(complete), 'U1')).toBe(saved);
    expect(deliveryAddressOf(draft(complete), null)).toBe(guestAddress);
  });
});

describe('the rates', () => {
  test.each<[string, Partial<Draft>, ReturnType<typeof calculateRates>]>([
    ['none without a service', { area: 'vatika' }, null],
    ['none without an area', { service: wash }, null],
    ['the rate of Manesar', { service: wash, area: 'manesar' }, { ratePaise: asPaise(3800), offer: null, orderRatePaise: asPaise(3800) }],
    ['the rate of Vatika', { service: iron, area: 'vatika' }, { ratePaise: asPaise(5000), offer: null, orderRatePaise: asPaise(5000) }],
    [
      'the rate after an offer, to the paisa',
      { service: wash, area: 'vatika', offer: { id: 'O1', percent: 33 } },
      { ratePaise: asPaise(4800), offer: { id: 'O1', percent: 33 }, orderRatePaise: asPaise(3216) },
    ],
  ])('calculateRates returns %s', (_what, change, rates) => {
    expect(calculateRates(draft(change))).toEqual(rates);
  });

  const market = { services: [service('wash', 3900, 4900)], pickupDay: '2026-11-21' };

  test('are refreshed with the current rates', () => {
    const fresh = cartActions.refresh(draft({ stage: 2, service: wash, area: 'vatika' }), market);
    expect(fresh).toMatchObject({ stage: 2, pickupDay: '2026-11-21' });
    expect(calculateRates(fresh)?.ratePaise).toBe(4900);
  });

  test('refresh removes a program that left the catalogue', () => {
    expect(cartActions.refresh(draft({ stage: 2, service: iron, area: 'vatika' }), market)).toMatchObject({ service: null, stage: 1 });
  });
});

test.each<[string, Partial<Draft>, boolean]>([
  ['the stage', { stage: 2 }, true],
  ['the area', { area: 'vatika' }, false],
  ['the service', { service: iron }, false],
  ['a rate', { service: { ...wash, rates: { ...wash.rates, vatika: asPaise(4801) } } }, false],
  ['the slot', { slotChosen: false }, false],
  ['the address', { address: saved }, false],
  ['the guest’s address', { guestAddress }, false],
  ['the offer', { offer: { id: 'O1', percent: 5 } }, false],
  ['the pickup day', { pickupDay: '2026-11-22' }, false],
])('isSameOrder compares an order with another in %s', (_what, change, same) => {
  const before = draft({ area: 'manesar', service: wash });
  expect(isSameOrder(before, { ...before, ...change })).toBe(same);
});
