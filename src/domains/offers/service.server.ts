import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Offer } from './contract.ts';
import { insertOffer, newestOffersOf } from './store.server.ts';

interface StoredOffer {
  id: string;
  percent: number;
  valid_days: number;
  /** Text where it was read as JSON, together with other things. */
  starts_at: Date | string;
}

/** Oldest first, in the words of the wire: the one form that the rule of the active offer reads. */
export const offersInOrder = (newestFirst: readonly StoredOffer[]): Offer[] =>
  newestFirst.toReversed().map((row) => ({
    offerid: row.id,
    offer_rate: row.percent,
    offer_validity: `${row.valid_days} days`,
    ot_date: kolkataDateTime(new Date(row.starts_at)),
  }));

export const listOffers = async (db: Db, customer: SignedInCustomer): Promise<Offer[]> =>
  offersInOrder(await newestOffersOf(db, customer).execute());

interface OfferGrant {
  customerId: string;
  percent: number;
  validDays: number;
  reason: string;
  startsAt: Date;
}

/** The wire speaks whole seconds, and so does the offer: it starts with the one its moment lies in. */
const wholeSecond = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** False when an offer with this id was given before: nothing was written. */
export async function grantOfferOnce(
  db: Db,
  id: string,
  { customerId, percent, validDays, reason, startsAt }: OfferGrant,
  now: Date,
): Promise<boolean> {
  const starts_at = wholeSecond(startsAt);
  return insertOffer(db, { id, customer_id: customerId, percent, valid_days: validDays, reason, starts_at, granted_at: now });
}

export async function grantOffer(db: Db, grant: OfferGrant, now: Date): Promise<string> {
  const id = newId();
  await grantOfferOnce(db, id, grant, now);
  return id;
}
