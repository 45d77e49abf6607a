/** Sample customers and guests: they join, refer each other, get offers, and have a wallet. */
import { addSeconds, DAY_SECONDS } from '../../src/lib/clock.ts';
import { invariant } from '../../src/lib/invariant.ts';
import { AREAS, type Area } from '../../src/domains/catalogue/contract.ts';
import type { Offer } from '../../src/domains/offers/contract.ts';
import { BONUS_PERIOD_DAYS, MAX_BONUSES, REFERRAL_BONUS_PAISE } from '../../src/domains/referrals/contract.ts';
import { ledgerReference } from '../../src/domains/wallet/reference-rules.ts';
import type { MovementKind } from '../../src/domains/wallet/contract.ts';
import type { AddRow } from './copy-rows.ts';
import type { Draws } from './draws.ts';
import { sampleAddress, sampleMobile, sampleName } from './people.ts';

export interface Person {
  id: string;
  mobile: string;
  name: string;
  isGuest: boolean;
  area: Area;
  address: ReturnType<typeof sampleAddress>;
  offers: Offer[];
  balancePaise: number;
  hasWallet: boolean;
  /** The times of the bonuses for referrals. */
  bonuses: Date[];
  /** After everything that happened to the last order. */
  freeFrom: Date;
}

export interface Joining {
  draws: Draws;
  add: AddRow;
  /** The hash of the password that every sample customer has. */
  passwordHash: string;
  number: number;
  referrer: Person | undefined;
  at: Date;
}

export function joinPerson({ draws, add, passwordHash, number, referrer, at }: Joining): Person {
  const area = draws.pick(AREAS);
  const isGuest = draws.perMille(90);
  const person: Person = {
    id: draws.id(20),
    mobile: sampleMobile(number),
    name: sampleName(draws),
    isGuest,
    area,
    address: sampleAddress(draws, area),
    offers: [],
    balancePaise: 0,
    hasWallet: false,
    bonuses: [],
    freeFrom: at,
  };
  const { id, name, mobile } = person;
  const invitedBy = !isGuest && referrer && mayRefer(referrer, at) ? referrer : undefined;
  add('customers', {
    id,
    mobile,
    name: isGuest ? null : name,
    password_hash: isGuest ? null : passwordHash,
    referred_by: invitedBy?.id ?? null,
    created_at: at,
  });
  if (isGuest) return person;
  add('addresses', { id: draws.id(20), customer_id: id, name, mobile, ...person.address, area, created_at: addSeconds(at, 60) });
  if (invitedBy) {
    invitedBy.bonuses.push(at);
    add('referral_bonuses', { new_customer_id: id, referrer_id: invitedBy.id, granted_at: at });
    const bonus = {
      kind: 'promotion',
      paise: REFERRAL_BONUS_PAISE,
      reason: 'Referral bonus',
      reference: ledgerReference('referral', { customer: id }),
    } as const;
    post({ draws, add }, invitedBy, { ...bonus, at });
  }
  if (draws.perMille(250)) grantOffer({ draws, add }, person, at);
  if (draws.perMille(120)) {
    const paise = 100 * draws.between(50, 300);
    post({ draws, add }, person, {
      kind: 'promotion',
      paise,
      reason: 'Sample campaign',
      reference: ledgerReference('grant', { grant: draws.id(20) }),
      at,
    });
  }
  return person;
}

function mayRefer({ isGuest, bonuses }: Person, at: Date): boolean {
  const since = addSeconds(at, -BONUS_PERIOD_DAYS * DAY_SECONDS);
  return !isGuest && bonuses.filter((granted) => granted > since).length < MAX_BONUSES;
}

type Writing = Pick<Joining, 'draws' | 'add'>;

function grantOffer({ draws, add }: Writing, person: Person, at: Date) {
  const startsAt = new Date(Math.floor(at.getTime() / 1000) * 1000);
  const offer: Offer = { id: draws.id(20), percent: draws.pick([10, 15, 20]), validDays: draws.pick([7, 30]), startsAt };
  person.offers.push(offer);
  add('offers', {
    id: offer.id,
    customer_id: person.id,
    percent: offer.percent,
    valid_days: offer.validDays,
    starts_at: startsAt,
    reason: 'Sample offer',
    granted_at: at,
  });
}

interface Movement {
  kind: MovementKind;
  /** Negative: the wallet pays. */
  paise: number;
  reason: string;
  reference: string;
  orderId?: string;
  at: Date;
}

/** Adds an entry of the ledger with its two postings. Returns its id. */
export function post({ draws, add }: Writing, person: Person, { kind, paise, reason, reference, orderId, at }: Movement): string {
  const id = draws.id(20);
  person.balancePaise += paise;
  person.hasWallet = true;
  invariant(person.balancePaise >= 0, 'a wallet covers what it pays');
  add('ledger_entries', { id, kind, reason, reference, order_id: orderId ?? null, created_at: at, xid: null });
  add('ledger_postings', { entry_id: id, account_id: `wallet:${person.id}`, amount_paise: paise, created_at: at });
  add('ledger_postings', { entry_id: id, account_id: kind, amount_paise: -paise, created_at: at });
  return id;
}
