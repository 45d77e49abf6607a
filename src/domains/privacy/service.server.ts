/**
 * The rights of a customer to their data: a copy of everything that is stored, and its erasure.
 * Orders, payments and the ledger stay under a pseudonym, because accounting law requires them.
 */
import { randomInt } from 'node:crypto';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import { insertErasedNumber } from '../accounts/erased-numbers-store.server.ts';
import { findCustomer, insertGuest, lockCustomer, erasePersonalDataOfCustomer } from '../accounts/store.server.ts';
import { listStoredAddresses, deleteAddressesOf } from '../addresses/store.server.ts';
import { listConsents } from '../consents/store.server.ts';
import { StorageError, type PhotoStorage } from '../photos/provider.server.ts';
import { deleteQueuedFiles, queueFileDeletions } from '../photos/service.server.ts';
import { readStoredClaims, eraseClaimsOf, setCustomerOfClaims } from '../claims/store.server.ts';
import { deleteMessagesTo, listMessagesTo } from '../messages/store.server.ts';
import { deleteNotificationsOf, listNotifications } from '../notifications/store.server.ts';
import { listStoredOffers, eraseReasonsOfOffers } from '../offers/store.server.ts';
import { deleteUnexplainedBags } from '../order-desk/bags-store.server.ts';
import { deleteNotesOnOrders, listNotesOnOrders } from '../order-desk/personal-data-store.server.ts';
import { deletePhotosOfOrders, listPhotosOfOrders } from '../order-desk/photos-store.server.ts';
import {
  listAccountOrders,
  readStoredOrders,
  erasePersonalDataOfOrders,
  listOpenOrderIds,
  listOrderIds,
  listOrderIdsOfMobileOwner,
  setCustomerOfOrders,
  listUnpaidOrderIdsOfMobileOwner,
} from '../orders/personal-data-store.server.ts';
import { assignableSince } from '../orders/service.server.ts';
import { eraseNotesOfPayments, listPaymentsOfOrders } from '../payments/overview-store.server.ts';
import { unassignedOverpaymentPaise } from '../payments/overpayment-service.server.ts';
import { deleteMuted, listMuted } from '../profile/store.server.ts';
import { listBonuses } from '../referrals/store.server.ts';
import { deleteReviewsOf, listReviews } from '../reviews/store.server.ts';
import { deleteSessionsOf, listSessions } from '../sessions/store.server.ts';
import { audit, eraseCustomerFromAudit, type AuditAuthor } from '../staff/audit-store.server.ts';
import { deleteStoredResponses } from '../staff/store.server.ts';
import { eraseVerificationsOf, lockMobile, readVerifications } from '../verification/store.server.ts';
import { listAllMovements, readBalance, eraseReasonsOfMovements } from '../wallet/store.server.ts';
import type { DeletionObstacle } from './contract.ts';

/** Orders that prevent an erasure, and why. */
export type OrderObstacle =
  | { code: Exclude<DeletionObstacle, 'reports-open'>; orderIds: string[] }
  | { code: 'reports-open'; orderIds: string[]; claimIds: string[] };

export type ErasureObstacle = OrderObstacle | { code: 'wallet-not-empty'; balancePaise: Paise; unassignedPaise: Paise };

/** Nothing was changed. The caller explains the obstacle. */
export interface NotErased {
  status: 'not-erased';
  obstacle: ErasureObstacle;
}

export type CustomerExport = NonNullable<Awaited<ReturnType<typeof readExport>>>;

/**
 * Returns everything that is stored about a customer, in one snapshot, or undefined if there is
 * none. Hashes of passwords and tokens are not part of it. Older guest orders, which may be of an
 * earlier owner of the number, are counted only (docs/decisions/0039).
 */
export const exportCustomer = (db: Db, key: { id: string } | { mobile: string }, now: Date): Promise<CustomerExport | undefined> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => readExport(tx, key, now));

async function readExport(tx: Tx, key: { id: string } | { mobile: string }, now: Date) {
  const customer = await findCustomer(tx, key);
  if (!customer) return undefined;
  const { id, mobile } = customer;
  const orderIds = await listOrderIdsOfMobileOwner(tx, id, assignableSince(now));
  const hiddenOrders = (await listOrderIds(tx, id)).length - orderIds.length;
  const orders = orderIds.length > 0 ? await exportOrders(tx, orderIds) : { orders: [] };
  const data = {
    customer,
    consents: withoutHiddenOrders(await listConsents(tx, id), orders.orders),
    addresses: await listStoredAddresses(tx, id),
    ...orders,
    wallet: {
      balance_paise: await readBalance(tx, id),
      waiting_paise: await unassignedPaiseOf(tx, id, orderIds),
      movements: await listAllMovements(tx, id),
    },
    offers: await listStoredOffers(tx, id),
    referral_bonuses: await listBonuses(tx, id),
    reviews: await listReviews(tx, id),
    reports: withoutClaimsOfOtherOrders(await readStoredClaims(tx, id), orderIds),
    messages: await listMessagesTo(tx, mobile),
    muted_notifications: await listMuted(tx, id),
    sessions: await listSessions(tx, id),
    ...(await readVerifications(tx, mobile)),
  };
  return { data, hiddenOrders };
}

/** Returns the orders and the rows that belong to them, by their names in the export. */
const exportOrders = async (tx: Tx, orderIds: readonly string[]) => ({
  ...(await readStoredOrders(tx, orderIds)),
  notes: await listNotesOnOrders(tx, orderIds),
  photos_of_orders: await listPhotosOfOrders(tx, orderIds),
  payments: await listPaymentsOfOrders(tx, orderIds),
  notifications: await listNotifications(tx, orderIds),
});

/**
 * Leaves out the consents to hidden orders, which may be of an earlier owner of the number. A
 * consent to an order has the time of the order.
 */
const withoutHiddenOrders = (consents: Awaited<ReturnType<typeof listConsents>>, orders: readonly { placed_at: Date }[]) =>
  consents.filter(({ purpose, at }) => purpose !== 'order' || orders.some((order) => order.placed_at.getTime() === at.getTime()));

/** Returns the overpayment of those of the orders that are not assigned to an account. */
async function unassignedPaiseOf(tx: Tx, id: string, orderIds: readonly string[]): Promise<Paise> {
  const assigned = new Set((await listAccountOrders(tx, id)).map((order) => order.id));
  return unassignedOverpaymentPaise(
    tx,
    orderIds.filter((orderId) => !assigned.has(orderId)),
  );
}

/** Leaves out the claims of other orders than `orderIds`, with their messages and photos. */
function withoutClaimsOfOtherOrders(
  { claims, messages, photos }: Awaited<ReturnType<typeof readStoredClaims>>,
  orderIds: readonly string[],
) {
  const hidden = new Set(claims.flatMap(({ id, order_id }) => (orderIds.includes(order_id) ? [] : [id])));
  return {
    claims: claims.filter(({ id }) => !hidden.has(id)),
    messages: messages.filter(({ claim_id }) => !hidden.has(claim_id)),
    photos: photos.filter(({ claim_id }) => claim_id === null || !hidden.has(claim_id)),
  };
}

/** The money that the erasure of a customer may cost. */
export interface AcceptedLosses {
  /** The amounts that the customer may lose: the wallet, and the overpayments of guest orders. */
  ofCustomerPaise: number;
  /** Whether the laundry may lose what delivered orders still cost. */
  unpaidOrders: boolean;
}

export const NO_LOSSES: AcceptedLosses = { ofCustomerPaise: 0, unpaidOrders: false };
export const ALL_LOSSES: AcceptedLosses = { ofCustomerPaise: Number.MAX_SAFE_INTEGER, unpaidOrders: true };

export interface ErasureSummary {
  status: 'erased';
  orders: number;
  photos: number;
  /** False if the storage failed. A job of the program then deletes the rest. */
  areFilesDeleted: boolean;
  forfeitedPaise: Paise;
}

/**
 * The orders that an erasure covers. A customer has the orders that the copy of the data shows:
 * older guest orders may be of an earlier owner of the number (docs/decisions/0039). A command
 * covers them too.
 */
export type ErasureScope = 'visible-orders' | 'all-orders';

const orderIdsIn = (tx: Tx, id: string, scope: ErasureScope, now: Date): Promise<string[]> =>
  scope === 'all-orders' ? listOrderIds(tx, id) : listOrderIdsOfMobileOwner(tx, id, assignableSince(now));

/** Returns the orders of the customer that the erasure does not cover. */
async function otherOrderIdsOf(tx: Tx, id: string, coveredIds: readonly string[]): Promise<string[]> {
  const covered = new Set(coveredIds);
  return (await listOrderIds(tx, id)).filter((orderId) => !covered.has(orderId));
}

export interface Erasure {
  accepted: AcceptedLosses;
  scope: ErasureScope;
  /** Its hash of the number stays (docs/decisions/0084 and 0086). */
  hashMobile: KeyedHash;
  now: Date;
}

/**
 * Erases the data of a customer by a command, and records its author. Changes nothing if an order
 * or a report is open, or more money than `accepted` would be lost. Deletes the files of the photos
 * after the transaction. Throws for an unknown customer.
 */
export async function eraseCustomer(
  db: Db,
  storage: Pick<PhotoStorage, 'delete'>,
  { id, author, ...options }: Omit<Erasure, 'scope'> & { id: string; author: AuditAuthor },
): Promise<ErasureSummary | NotErased> {
  const erasure = { ...options, scope: 'all-orders' } as const;
  const result = await transaction(db, async (tx) => {
    const erased = await eraseRows(tx, id, erasure);
    if (erased.status === 'not-erased') return erased;
    const after = { amount_paise: erased.forfeitedPaise };
    await audit(tx, author, { action: 'erase-customer', subject: ['customer', id], after }, erasure.now);
    return erased;
  });
  if (result.status === 'not-erased') return result;
  const { photos, ...summary } = result;
  const { signal } = new AbortController();
  const areFilesDeleted = await deleteQueuedFiles({ db, storage }, { now: erasure.now, signal, among: photos }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StorageError) return false;
      throw error;
    },
  );
  return { ...summary, photos: photos.length, areFilesDeleted };
}

export interface ErasureCheck {
  obstacles: OrderObstacle[];
  balancePaise: Paise;
  /** The overpayment of guest orders that are not assigned to an account. */
  unassignedPaise: Paise;
}

/** Returns what prevents the erasure of a customer, and the money that it would cost them. */
export async function checkErasure(tx: Tx, id: string, { scope, now }: Pick<Erasure, 'scope' | 'now'>): Promise<ErasureCheck> {
  const orderIds = await orderIdsIn(tx, id, scope, now);
  const others = new Set(await otherOrderIdsOf(tx, id, orderIds));
  const openClaims = (await readStoredClaims(tx, id)).claims.filter((claim) => claim.status !== 'settled' && !others.has(claim.order_id));
  const payments = orderIds.length > 0 ? await listPaymentsOfOrders(tx, orderIds) : [];
  const pending = payments.filter(({ state }) => state === 'pending');
  const atGateway = pending.filter(({ method }) => method === 'gateway');
  // The laundry may have the money. A later confirmation would credit an unusable wallet.
  const reportedUpi = pending.filter(({ method, reported_at: reportedAt }) => method === 'upi' && reportedAt !== null);
  // Guest orders that the number proves are debts of the customer, too.
  const unpaid = await listUnpaidOrderIdsOfMobileOwner(tx, id, assignableSince(now));
  const ordersOf = (rows: readonly { order_id: string }[]) => [...new Set(rows.map(({ order_id }) => order_id))];
  const obstacles: OrderObstacle[] = [
    { code: 'orders-open', orderIds: (await listOpenOrderIds(tx, id)).filter((orderId) => !others.has(orderId)) },
    { code: 'reports-open', orderIds: ordersOf(openClaims), claimIds: openClaims.map((claim) => claim.id) },
    { code: 'gateway-payment-pending', orderIds: ordersOf(atGateway) },
    { code: 'upi-payment-reported', orderIds: ordersOf(reportedUpi) },
    { code: 'orders-unpaid', orderIds: unpaid },
  ];
  return {
    obstacles: obstacles.filter((obstacle) => obstacle.orderIds.length > 0),
    balancePaise: await readBalance(tx, id),
    unassignedPaise: await unassignedPaiseOf(tx, id, orderIds),
  };
}

/** Returns the first obstacle that `accepted` does not cover, if any. */
function findObstacle({ obstacles, balancePaise, unassignedPaise }: ErasureCheck, accepted: AcceptedLosses): ErasureObstacle | undefined {
  const obstacle = obstacles.find(({ code }) => !(code === 'orders-unpaid' && accepted.unpaidOrders));
  if (obstacle || balancePaise + unassignedPaise <= accepted.ofCustomerPaise) return obstacle;
  return { code: 'wallet-not-empty', balancePaise, unassignedPaise };
}

/** Returns a number with which no code and no sign-up can reach the row (`isPseudonym`). */
export const newPseudonym = (): string => `0${String(randomInt(1e9)).padStart(9, '0')}`;

export interface ErasedRows {
  status: 'erased';
  orders: number;
  /** The ids of the photos, whose files are queued. */
  photos: string[];
  forfeitedPaise: Paise;
}

/**
 * Erases the rows of a customer, or changes nothing if an obstacle exists. Reads the obstacles
 * twice: a refusal needs no lock, for which the customer's other requests would wait. Throws for an
 * unknown customer.
 */
export async function eraseRows(tx: Tx, id: string, { accepted, scope, hashMobile, now }: Erasure): Promise<ErasedRows | NotErased> {
  const early = findObstacle(await checkErasure(tx, id, { scope, now }), accepted);
  if (early) return { status: 'not-erased', obstacle: early };
  const { mobile } = await requireCustomer(tx, id);
  await lockMobile(tx, mobile);
  await lockCustomer(tx, id, 'update');
  const check = await checkErasure(tx, id, { scope, now });
  const obstacle = findObstacle(check, accepted);
  if (obstacle) return { status: 'not-erased', obstacle };
  const orderIds = await orderIdsIn(tx, id, scope, now);

  const pseudonym = newPseudonym();
  await erasePersonalDataOfCustomer(tx, { id, mobile, pseudonym });
  // Before the orders, as a proof of another number does.
  await deleteSessionsOf(tx, [id]);
  await separateOtherOrders(tx, { id, mobile }, orderIds, now);
  const mobileHash = hashMobile(mobile);
  await insertErasedNumber(tx, mobileHash, now);
  await erasePersonalDataOfOrders(tx, id, pseudonym);
  const photos = await eraseClaimsOf(tx, id);
  await deleteAddressesOf(tx, id);
  const reviewIds = await deleteReviewsOf(tx, id);
  await deleteMessagesTo(tx, mobile);
  await deleteNotificationsOf(tx, id);
  await deleteMuted(tx, id);
  await eraseVerificationsOf(tx, { mobile, mobileHash }, now);
  await eraseReasonsOfOffers(tx, id);
  await eraseReasonsOfMovements(tx, id);
  await eraseCustomerFromAudit(tx, { mobile, pseudonym, orderIds, reviewIds });
  await deleteStoredResponses(tx);
  if (orderIds.length > 0) {
    await deleteNotesOnOrders(tx, orderIds);
    await deleteUnexplainedBags(tx, orderIds);
    await eraseNotesOfPayments(tx, orderIds);
    photos.push(...(await deletePhotosOfOrders(tx, orderIds)));
  }
  await queueFileDeletions(tx, photos, now);
  return {
    status: 'erased',
    orders: orderIds.length,
    photos: photos.map(({ id: photo }) => photo),
    forfeitedPaise: asPaise(check.balancePaise + check.unassignedPaise),
  };
}

/** Throws for an unknown customer. */
async function requireCustomer(tx: Tx, id: string) {
  const customer = await findCustomer(tx, { id });
  invariant(customer, 'a customer that is erased exists');
  return customer;
}

/**
 * Moves the orders that the erasure of a customer does not cover, and their reports, to a new guest
 * with the number.
 */
async function separateOtherOrders(tx: Tx, { id, mobile }: { id: string; mobile: string }, coveredIds: readonly string[], now: Date) {
  const others = await otherOrderIdsOf(tx, id, coveredIds);
  if (others.length === 0) return;
  const guestId = newId();
  await insertGuest(tx, { id: guestId, mobile }, now);
  const move = { orderIds: others, from: id, to: guestId };
  await setCustomerOfOrders(tx, move);
  await setCustomerOfClaims(tx, move);
}
