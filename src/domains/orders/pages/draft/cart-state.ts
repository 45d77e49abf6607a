/**
 * The state of the cart: its stages, the actions that change it, the missing parts and the price. Pure functions without a contract, because the home page
 * loads this file. Specification sections 4 and 9; design section 6, "Ordering".
 */
import { discountedRatePaise, type Paise } from '../../../../lib/money.ts';
import type { Address, AddressForm } from '../../../addresses/contract.ts';
import type { Area } from '../../../catalogue/contract.ts';
import type { Service } from '../../../catalogue/rules.ts';
import type { ActiveOffer } from '../../../offers/rules.ts';

/** Choose the area, review the options, choose the address. */
export const CART_STAGE = { area: 0, options: 1, address: 2 } as const;
export type CartStage = (typeof CART_STAGE)[keyof typeof CART_STAGE];

/** What is being ordered, with the figures that the customer has been shown: what is seen is what is sent. */
export interface Draft {
  stage: CartStage;
  area: Area | 'none';
  /** The cart is open while there is one. */
  service: Service | null;
  /** There is one slot; it is chosen until it is tapped away. */
  slotChosen: boolean;
  /** One of the customer's saved addresses. */
  address: Address | null;
  /** Guest mode is on while there is one. */
  guestAddress: AddressForm | null;
  offer: ActiveOffer | null;
  /** The day shown with the slot, YYYY-MM-DD. */
  pickupDay: string | null;
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
};

const restingStage = ({ area }: Draft): CartStage => (area === 'none' ? CART_STAGE.area : CART_STAGE.options);

const NEXT: Readonly<Record<CartStage, CartStage>> = {
  [CART_STAGE.area]: CART_STAGE.options,
  [CART_STAGE.options]: CART_STAGE.address,
  [CART_STAGE.address]: CART_STAGE.address,
};

/** What is sold right now. */
export interface Market {
  services: readonly Service[];
  pickupDay: string;
}

/** The changes that the cart and /stages make to the draft; each returns a new draft. */
export const cartActions = {
  pick: (draft: Draft, service: Service): Draft => ({ ...draft, service, stage: restingStage(draft) }),
  chooseArea: (draft: Draft, area: Area): Draft => ({ ...draft, area }),
  proceed: (draft: Draft): Draft => (draft.area === 'none' ? draft : { ...draft, stage: NEXT[draft.stage] }),
  change: (draft: Draft): Draft => ({ ...draft, stage: CART_STAGE.area }),
  close: (draft: Draft): Draft => ({ ...draft, service: null, stage: restingStage(draft) }),
  chooseService: (draft: Draft, service: Service): Draft => ({ ...draft, service }),
  toggleSlot: (draft: Draft): Draft => ({ ...draft, slotChosen: !draft.slotChosen }),
  chooseAddress: (draft: Draft, address: Address | null): Draft => ({ ...draft, address }),
  saveGuestAddress: (draft: Draft, guestAddress: AddressForm | null): Draft => ({ ...draft, guestAddress }),
  /** The customer's offer of now, or none. */
  takeOffer: (draft: Draft, offer: ActiveOffer | null): Draft => ({ ...draft, offer }),
  /** Fresh figures take the place of those shown before. A program that is not sold any more has to be chosen anew. */
  refresh: (draft: Draft, { services, pickupDay }: Market): Draft => {
    const service = services.find(({ programid }) => programid === draft.service?.programid) ?? null;
    return { ...draft, service, pickupDay, ...(!service && { stage: restingStage(draft) }) };
  },
} as const;

/** Whether two drafts are the same order. How far the customer has come in the cart changes nothing of it. */
export const sameOrder = (one: Draft, other: Draft): boolean => orderText(one) === orderText(other);

const orderText = (draft: Draft) => JSON.stringify(Object.keys(EMPTY_DRAFT).map((name) => name !== 'stage' && draft[name as keyof Draft]));

/** Where the clothes are fetched: a signed-in customer's own saved address, or the guest's. `userid` is null when nobody is signed in. */
export function placeOf({ address, guestAddress }: Draft, userid: string | null): Address | AddressForm | null {
  if (userid === null) return guestAddress;
  return address?.userid === userid ? address : null;
}

export type MissingPart = 'program' | 'area' | 'slot' | 'address';

/** What an order still needs, in the order of /stages. */
export function missingParts(draft: Draft, userid: string | null): MissingPart[] {
  const needs: Record<MissingPart, boolean> = {
    program: draft.service === null,
    area: draft.area === 'none',
    slot: !draft.slotChosen,
    address: placeOf(draft, userid) === null,
  };
  return (Object.keys(needs) as MissingPart[]).filter((part) => needs[part]);
}

export type ProceedAction = 'disabled' | 'next-stage' | 'show-missing-parts' | 'place-order';

/** The action of the Proceed button. */
export function proceedAction(draft: Draft, userid: string | null): ProceedAction {
  if (draft.area === 'none') return 'disabled';
  if (draft.stage !== CART_STAGE.address) return 'next-stage';
  return missingParts(draft, userid).length > 0 ? 'show-missing-parts' : 'place-order';
}

export interface Figures {
  /** Base and surcharge, for one unit. */
  ratePaise: Paise;
  offer: ActiveOffer | null;
  /** After the offer. */
  orderRatePaise: Paise;
}

/** Null until both the service and the area are chosen. */
export function figuresOf({ service, area, offer }: Draft): Figures | null {
  if (!service || area === 'none') return null;
  const ratePaise = service.rates[area];
  return { ratePaise, offer, orderRatePaise: discountedRatePaise(ratePaise, offer?.percent ?? 0) };
}
