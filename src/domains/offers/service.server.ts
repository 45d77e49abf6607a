import { newId } from '../../lib/ids.ts';
import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Offer } from './contract.ts';
import { insertOffer, listNewestOffers, type StoredOffer } from './store.server.ts';

/** Returns the offers oldest first, in the order that `activeOffer` expects. */
export const toOffers = (newestFirst: readonly StoredOffer[]): Offer[] =>
  newestFirst.toReversed().map((row) => ({
    id: row.id,
    percent: row.percent,
    startsAt: new Date(row.starts_at),
    validDays: row.valid_days,
  }));

/**
 * Returns the customer's newest 100 offers, oldest first, including those whose days are over.
 * Excludes those that the laundry ended.
 */
export const listOffers = async (db: Db, customer: SignedInCustomer): Promise<Offer[]> => toOffers(await listNewestOffers(db, customer));

interface OfferGrant {
  customerId: string;
  percent: number;
  validDays: number;
  reason: string;
  startsAt: Date;
}

/**
 * Rounds down to a whole second: times on the wire have no fractions, and neither has the start.
 */
const wholeSecond = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** Returns false and writes nothing if an offer with this id exists. */
export async function grantOfferOnce(
  db: Db,
  id: string,
  { customerId, percent, validDays, reason, startsAt }: OfferGrant,
  now: Date,
): Promise<boolean> {
  const starts_at = wholeSecond(startsAt);
  return insertOffer(db, { id, customer_id: customerId, percent, valid_days: validDays, reason, starts_at, granted_at: now });
}

/** Grants the offer and returns its id. */
export async function grantOffer(db: Db, grant: OfferGrant, now: Date): Promise<string> {
  const id = newId();
  await grantOfferOnce(db, id, grant, now);
  return id;
}
