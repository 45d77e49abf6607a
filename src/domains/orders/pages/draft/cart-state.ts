/**
 * The state of the cart: its stages, actions, missing parts and price. Pure functions that import
 * no contract, because the home page loads this file. Specification sections 4 and 9; design
 * section 6, "Ordering".
 */
import { discountedRatePaise, type Paise } from '../../../../lib/money.ts';
import type { Address, AddressForm } from '../../../addresses/contract.ts';
import type { Area } from '../../../catalogue/contract.ts';
import type { Service } from '../../../catalogue/rules.ts';
import type { ActiveOffer } from '../../../offers/rules.ts';

/** Choose the area, review the options, choose the address. */
export const CART_STAGE = { area: 0, options: 1, address: 2 } as const;
export type CartStage = (typeof CART_STAGE)[keyof typeof CART_STAGE];

/** The load that the customer expects. The scale decides, so no request contains it. */
export interface ExpectedLoad {
  items: number;
  gramsLow: number;
  gramsHigh: number;
}

/**
 * An order in preparation. Its rates are those on the screen, and the request sends them
 * unchanged.
 */
export interface Draft {
  stage: CartStage;
  area: Area | 'none';
  /** The cart is open while this is set. */
  service: Service | null;
  /** There is one slot. It is chosen until the customer clears it. */
  slotChosen: boolean;
  /** One of the customer's saved addresses. */
  address: Address | null;
  /** Guest mode is on while this is set. */
  guestAddress: AddressForm | null;
  offer: ActiveOffer | null;
  /** The day shown with the slot, YYYY-MM-DD. */
  pickupDay: string | null;
  /** The day that the customer chose. Another one is shown while it is full, closed or past. */
  chosenDay: string | null;
  /** From the estimate of home, or from the order that is repeated. */
  expectedLoad: ExpectedLoad | null;
}

export const EMPTY_DRAFT: Draft = {
  stage: CART_STAGE.area,
  area: 'none',
  service: null,
  slotChosen: true,
  address: null,
  guestAddress: null,
  offer: null,
  pickupDay: null,
  chosenDay: null,
  expectedLoad: null,
};

const initialStage = ({ area }: Draft): CartStage => (area === 'none' ? CART_STAGE.area : CART_STAGE.options);

const NEXT: Readonly<Record<CartStage, CartStage>> = {
  [CART_STAGE.area]: CART_STAGE.options,
  [CART_STAGE.options]: CART_STAGE.address,
  [CART_STAGE.address]: CART_STAGE.address,
};

/** The current services, and the pickup day to show. */
export interface Market {
  services: readonly Service[];
  pickupDay: string;
}

/** The changes that the cart and /stages make to the draft. Each returns a new draft. */
export const cartActions = {
  pick: (draft: Draft, service: Service): Draft => ({ ...draft, service, stage: initialStage(draft) }),
  chooseArea: (draft: Draft, area: Area): Draft => ({ ...draft, area }),
  /** Changes nothing without an area, and in the last stage. */
  proceed: (draft: Draft): Draft => (draft.area === 'none' ? draft : { ...draft, stage: NEXT[draft.stage] }),
  /** Returns to the choice of the area. */
  change: (draft: Draft): Draft => ({ ...draft, stage: CART_STAGE.area }),
  showStage: (draft: Draft, stage: CartStage): Draft => ({ ...draft, stage }),
  close: (draft: Draft): Draft => ({ ...draft, service: null, stage: initialStage(draft) }),
  chooseService: (draft: Draft, service: Service): Draft => ({ ...draft, service }),
  chooseDay: (draft: Draft, day: string): Draft => ({ ...draft, pickupDay: day, chosenDay: day }),
  toggleSlot: (draft: Draft): Draft => ({ ...draft, slotChosen: !draft.slotChosen }),
  /** The order is for the area of its address. */
  chooseAddress: (draft: Draft, address: Address | null): Draft => ({ ...draft, address, area: address?.area ?? draft.area }),
  saveGuestAddress: (draft: Draft, guestAddress: AddressForm | null): Draft => ({
    ...draft,
    guestAddress,
    area: guestAddress?.area ?? draft.area,
  }),
  expectLoad: (draft: Draft, expectedLoad: ExpectedLoad | null): Draft => ({ ...draft, expectedLoad }),
  /** Opens at the last stage. The caller selects the address. */
  repeat: (draft: Draft, { service, area, load }: { service: Service; area: Area; load: ExpectedLoad | null }): Draft => ({
    ...draft,
    service,
    area,
    expectedLoad: load ?? draft.expectedLoad,
    slotChosen: true,
    chosenDay: null,
    address: null,
    guestAddress: null,
    stage: CART_STAGE.address,
  }),
  setOffer: (draft: Draft, offer: ActiveOffer | null): Draft => ({ ...draft, offer }),
  /** Updates rates and pickup day. Removes a service that is no longer in the catalogue. */
  refresh: (draft: Draft, { services, pickupDay }: Market): Draft => {
    const service = services.find(({ programid }) => programid === draft.service?.programid) ?? null;
    return { ...draft, service, pickupDay, ...(!service && { stage: initialStage(draft) }) };
  },
} as const;

const NOT_OF_ORDER: readonly string[] = ['stage', 'chosenDay', 'expectedLoad'] satisfies (keyof Draft)[];

/**
 * Returns true if two drafts are the same order: the stage of the cart, the expected load and the
 * chosen day are not part of it. The day that is shown is.
 */
export const isSameOrder = (a: Draft, b: Draft): boolean => serializeOrder(a) === serializeOrder(b);

const serializeOrder = (draft: Draft) =>
  JSON.stringify(Object.keys(EMPTY_DRAFT).map((name) => !NOT_OF_ORDER.includes(name) && draft[name as keyof Draft]));

/**
 * Returns the address for pickup and delivery: the customer's saved one, or the guest's if `userid`
 * is null. Null if none is chosen, and for the saved address of another customer.
 */
export function deliveryAddressOf({ address, guestAddress }: Draft, userid: string | null): Address | AddressForm | null {
  if (userid === null) return guestAddress;
  return address?.userid === userid ? address : null;
}

/**
 * Returns the area of the address if the order is for another one, otherwise null: the customer
 * changed the area after selecting the address. `userid` is null for a guest.
 */
export function otherAddressArea(draft: Draft, userid: string | null): Area | null {
  const addressArea = deliveryAddressOf(draft, userid)?.area ?? null;
  return addressArea === draft.area || draft.area === 'none' ? null : addressArea;
}

export type MissingPart = 'program' | 'area' | 'slot' | 'address' | 'address-in-area';

/** Returns the parts that the order lacks, in the order of /stages. `userid`: null for a guest. */
export function missingParts(draft: Draft, userid: string | null): MissingPart[] {
  const isMissing: Record<MissingPart, boolean> = {
    program: draft.service === null,
    area: draft.area === 'none',
    slot: !draft.slotChosen,
    address: deliveryAddressOf(draft, userid) === null,
    'address-in-area': otherAddressArea(draft, userid) !== null,
  };
  return (Object.keys(isMissing) as MissingPart[]).filter((part) => isMissing[part]);
}

export type ProceedAction = 'disabled' | 'next-stage' | 'show-missing-parts' | 'place-order';

/** Returns the action of the Proceed button. `userid` is null for a guest. */
export function proceedAction(draft: Draft, userid: string | null): ProceedAction {
  if (draft.area === 'none') return 'disabled';
  if (draft.stage !== CART_STAGE.address) return 'next-stage';
  return missingParts(draft, userid).length > 0 ? 'show-missing-parts' : 'place-order';
}

export interface DraftRates {
  /** Base and surcharge, for one unit. */
  ratePaise: Paise;
  offer: ActiveOffer | null;
  /** With the discount of the offer. */
  orderRatePaise: Paise;
}

/** Returns null until both the service and the area are chosen. */
export function calculateRates({ service, area, offer }: Draft): DraftRates | null {
  if (!service || area === 'none') return null;
  const ratePaise = service.rates[area];
  return { ratePaise, offer, orderRatePaise: discountedRatePaise(ratePaise, offer?.percent ?? 0) };
}
