/**
 * The rights of a customer to their data: a copy of everything that is stored, and its erasure.
 * Orders, payments and the ledger stay under a pseudonym, because the books must.
 */
import { randomInt } from 'node:crypto';
import type { Db, Tx } from '../../db/database.server.ts';
import { asPaise, formatRupeesAndPaise, type Paise } from '../../lib/money.ts';
import { findCustomer, lockCustomer, pseudonymizeCustomer } from '../accounts/store.server.ts';
import { allAddressesOf, deleteAddressesOf } from '../addresses/store.server.ts';
import type { PhotoStorage } from '../claims/provider.server.ts';
import { claimsOf, eraseClaimsOf } from '../claims/store.server.ts';
import { deleteMessagesTo, messagesTo } from '../messages/store.server.ts';
import { deleteNotificationsOf, notificationsOf } from '../notifications/store.server.ts';
import { allOffersOf, eraseReasonsOfOffers } from '../offers/store.server.ts';
import { deleteNotesOnOrders, notesOnOrders } from '../order-desk/personal-data-store.server.ts';
import { deletePhotosOfOrders, photosOfOrders } from '../order-desk/photos-store.server.ts';
import {
  allOrdersOf,
  eraseAddressesOfOrders,
  openOrderIdsOf,
  orderIdsOf,
  provableOrderIdsOf,
} from '../orders/personal-data-store.server.ts';
import { provedSince } from '../orders/service.server.ts';
import { eraseNotesOfPayments, paymentsOf } from '../payments/overview-store.server.ts';
import { heldChangePaise } from '../payments/change-service.server.ts';
import { deleteMuted, findMuted } from '../profile/store.server.ts';
import { bonusesOf } from '../referrals/store.server.ts';
import { deleteReviewsOf, reviewsOf } from '../reviews/store.server.ts';
import { deleteSessionsOf, sessionsOf } from '../sessions/store.server.ts';
import { eraseCustomerFromAudit } from '../staff/audit-store.server.ts';
import { forgetAnswers } from '../staff/store.server.ts';
import { deleteVerificationsOf, verificationsOf } from '../verification/store.server.ts';
import { allMovementsOf, balanceOf, eraseReasonsOfMovements } from '../wallet/store.server.ts';

/** Nothing was changed. The message is one line. */
export class CannotErase extends Error {
  override name = 'CannotErase';
}

/**
 * Returns everything that is stored about the customer of a mobile number, in one snapshot, or
 * undefined if there is none. Hashes of passwords and tokens are not part of it. Older guest
 * orders, which may be of an earlier owner of the number, are counted only (docs/decisions/0039).
 */
export const exportCustomer = (db: Db, mobile: string, now: Date) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const customer = await findCustomer(tx, mobile);
      if (!customer) return undefined;
      const { id } = customer;
      const orderIds = await provableOrderIdsOf(tx, id, provedSince(now));
      const hiddenOrders = (await orderIdsOf(tx, id)).length - orderIds.length;
      const data = {
        customer,
        addresses: await allAddressesOf(tx, id),
        ...(orderIds.length > 0 ? await ordersWithDetails(tx, orderIds) : { orders: [] }),
        wallet: {
          balance_paise: await balanceOf(tx, id),
          waiting_paise: await heldChangePaise(tx, orderIds),
          movements: await allMovementsOf(tx, id),
        },
        offers: await allOffersOf(tx, id),
        referral_bonuses: await bonusesOf(tx, id),
        reviews: await reviewsOf(tx, id),
        reports: withoutOtherOrders(await claimsOf(tx, id), orderIds),
        messages: await messagesTo(tx, mobile),
        muted_notifications: await findMuted(tx, id),
        sessions: await sessionsOf(tx, id),
        ...(await verificationsOf(tx, mobile)),
      };
      return { data, hiddenOrders };
    });

const ordersWithDetails = async (tx: Tx, orderIds: readonly string[]) => ({
  ...(await allOrdersOf(tx, orderIds)),
  notes: await notesOnOrders(tx, orderIds),
  photos_of_orders: await photosOfOrders(tx, orderIds),
  payments: await paymentsOf(tx, orderIds),
  notifications: await notificationsOf(tx, orderIds),
});

function withoutOtherOrders({ claims, messages, photos }: Awaited<ReturnType<typeof claimsOf>>, orderIds: readonly string[]) {
  const hidden = new Set(claims.flatMap(({ id, order_id }) => (orderIds.includes(order_id) ? [] : [id])));
  return {
    claims: claims.filter(({ id }) => !hidden.has(id)),
    messages: messages.filter(({ claim_id }) => !hidden.has(claim_id)),
    photos: photos.filter(({ claim_id }) => claim_id === null || !hidden.has(claim_id)),
  };
}

interface Erasure {
  mobile: string;
  /** Accepts that the customer loses the money in the wallet and the change of guest orders. */
  forfeitsWallet: boolean;
}

export interface ErasureSummary {
  orders: number;
  photos: number;
  forfeitedPaise: number;
}

/**
 * Erases the data of a customer. Throws `CannotErase` if the mobile is unknown, an order or a
 * report is open, or money would be lost. Deletes the photos after the transaction: if that fails,
 * their ids are in the error, and no row leads to them.
 */
export async function eraseCustomer(db: Db, storage: Pick<PhotoStorage, 'delete'>, erasure: Erasure): Promise<ErasureSummary> {
  const { photos, ...summary } = await db.transaction().execute((tx) => eraseRows(tx, erasure));
  for (const [index, id] of photos.entries()) {
    await storage.delete(id).catch((cause: unknown) => {
      throw new Error(`The rows are erased, but these photos are not: ${photos.slice(index).join(', ')}`, { cause });
    });
  }
  return { ...summary, photos: photos.length };
}

/** No mobile number of India begins with 0, so that no code and no sign-up can reach the row. */
export const newPseudonym = (): string => `0${String(randomInt(1e9)).padStart(9, '0')}`;

async function eraseRows(tx: Tx, { mobile, forfeitsWallet }: Erasure) {
  const customer = await findCustomer(tx, mobile);
  if (!customer) throw new CannotErase(`No customer has the mobile '${mobile}'.`);
  const { id } = customer;
  await lockCustomer(tx, id);
  const openOrders = await openOrderIdsOf(tx, id);
  if (openOrders.length > 0) throw new CannotErase(`Deliver or cancel these orders first: ${openOrders.join(', ')}.`);
  const openClaims = (await claimsOf(tx, id)).claims.filter(({ status }) => status !== 'settled');
  if (openClaims.length > 0) throw new CannotErase(`Settle these reports first: ${openClaims.map((claim) => claim.id).join(', ')}.`);
  const orderIds = await orderIdsOf(tx, id);
  const payments = orderIds.length > 0 ? await paymentsOf(tx, orderIds) : [];
  const pending = payments.find(({ state, method }) => state === 'pending' && method === 'gateway');
  if (pending) throw new CannotErase(`A payment for the order ${pending.order_id} is pending at the gateway: try again when it has ended.`);
  const balancePaise = asPaise(await balanceOf(tx, id));
  const heldPaise = await heldChangePaise(tx, orderIds);
  if (balancePaise + heldPaise > 0 && !forfeitsWallet)
    throw new CannotErase(`${describeMoney(balancePaise, heldPaise)}: pay it back and add the word 'forfeit'.`);

  const pseudonym = newPseudonym();
  await pseudonymizeCustomer(tx, { id, mobile, pseudonym });
  await eraseAddressesOfOrders(tx, id, pseudonym);
  const photos = await eraseClaimsOf(tx, id);
  await deleteAddressesOf(tx, id);
  const reviewIds = await deleteReviewsOf(tx, id);
  await deleteMessagesTo(tx, mobile);
  await deleteNotificationsOf(tx, id);
  await deleteMuted(tx, id);
  await deleteSessionsOf(tx, [id]);
  await deleteVerificationsOf(tx, mobile);
  await eraseReasonsOfOffers(tx, id);
  await eraseReasonsOfMovements(tx, id);
  await eraseCustomerFromAudit(tx, { mobile, pseudonym, orderIds, reviewIds });
  await forgetAnswers(tx);
  if (orderIds.length > 0) {
    await deleteNotesOnOrders(tx, orderIds);
    await eraseNotesOfPayments(tx, orderIds);
    photos.push(...(await deletePhotosOfOrders(tx, orderIds)));
  }
  return { orders: orderIds.length, photos, forfeitedPaise: asPaise(balancePaise + heldPaise) };
}

function describeMoney(balancePaise: Paise, heldPaise: Paise): string {
  const balance = `The wallet has ${formatRupeesAndPaise(balancePaise)}`;
  const held = `${formatRupeesAndPaise(heldPaise)} of guest orders wait for an account`;
  if (heldPaise === 0) return balance;
  return balancePaise === 0 ? held : `${balance}, and ${held}`;
}
