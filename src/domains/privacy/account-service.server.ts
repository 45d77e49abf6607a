/** Copies and deletes the account of the signed-in customer. docs/decisions/0075. */
import type { Outcome } from '../../contract/outcome.ts';
import type { Clock } from '../../lib/clock.ts';
import { asPaise, formatAmount, type Paise } from '../../lib/money.ts';
import { transaction, transactionUnlessRefused, type Db } from '../../db/database.server.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import type { KeyedHash } from '../../security/tokens.server.ts';
import { readDetails } from '../accounts/store.server.ts';
import type { PhotoStorage } from '../photos/provider.server.ts';
import { deleteQueuedFiles } from '../photos/service.server.ts';
import { listAccountOrders } from '../orders/personal-data-store.server.ts';
import type { Authentication, SignedInCustomer } from '../sessions/authentication.server.ts';
import { consumeLastGrant, hasGrant, type Browsers, type KnownDevices } from '../verification/authentication.server.ts';
import { privacyError, type DeletionCheck } from './contract.ts';
import { checkErasure, eraseRows, type ErasedRows, type ErasureObstacle, type NotErased } from './service.server.ts';

export interface PrivacyDependencies {
  db: Db;
  clock: Clock;
  authentication: Authentication;
  browsers: Browsers;
  devices: KnownDevices;
  storage: Pick<PhotoStorage, 'delete'>;
  runInBackground(name: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
  /** Hashes the numbers of erased customers. */
  hashMobile: KeyedHash;
}

/**
 * Returns what prevents the deletion of the account, and the money that it would lose. The reports
 * and the money of guest orders, which can be of another person, need the code of the deletion in
 * this browser (docs/decisions/0145).
 */
export const checkOwnDeletion = (
  { db, clock, browsers }: PrivacyDependencies,
  client: Client,
  customer: SignedInCustomer,
): Promise<DeletionCheck> =>
  transaction(db, async (tx) => {
    const now = clock.now();
    const { mobile } = await readDetails(tx, customer);
    const isProved = await hasGrant(tx, { browser: browsers.find(client), mobile, purpose: 'deletion' }, now);
    const { obstacles, balancePaise, unassignedPaise } = await checkErasure(tx, customer.id, { scope: 'visible-orders', now });
    const visible = new Set((await listAccountOrders(tx, customer.id)).map(({ id }) => id));
    const described = obstacles.map(({ code, orderIds }) => {
      const orderids = orderIds.filter((id) => visible.has(id));
      const isHidden = code === 'reports-open' && !isProved;
      return { kind: code, orderids, guest_orders: isHidden ? 0 : orderIds.length - orderids.length };
    });
    return {
      obstacles: described.filter(({ orderids, guest_orders }) => orderids.length + guest_orders > 0),
      loss: asPaise(balancePaise + (isProved ? unassignedPaise : 0)),
    };
  });

/**
 * Deletes the account, its sessions and the cookies of this browser. Returns an error, and
 * changes nothing, if this browser has no unused code for it or an obstacle exists.
 */
export async function deleteOwnAccount(
  dependencies: PrivacyDependencies,
  client: Client,
  cookies: CookieJar,
  { customer, givesUpPaise }: { customer: SignedInCustomer; givesUpPaise: Paise },
): Promise<Outcome<null, keyof typeof privacyError.texts>> {
  const { db, clock, authentication, browsers, devices, storage, hashMobile, runInBackground } = dependencies;
  const { mobile } = await readDetails(db, customer);
  const scope = { browser: browsers.find(client), mobile, purpose: 'deletion' } as const;
  const isRefused = (result: ErasedRows | NotErased | undefined) => result?.status !== 'erased';
  const erased = await transactionUnlessRefused(db, isRefused, async (tx) => {
    const now = clock.now();
    if (!(await consumeLastGrant(tx, scope, now))) return undefined;
    const accepted = { ofCustomerPaise: givesUpPaise, unpaidOrders: false };
    return eraseRows(tx, customer.id, { accepted, scope: 'visible-orders', hashMobile, now });
  });
  if (!erased) return { error: privacyError('code-not-confirmed') };
  if (erased.status === 'not-erased') return { error: describeObstacle(erased.obstacle) };

  // An operator repeats the deletion by this id if an older backup is restored.
  client.log.info({ customer: customer.id }, 'account deleted');
  // A job deletes the files that this does not.
  void runInBackground('deleting photos', (signal) =>
    deleteQueuedFiles({ db, storage }, { now: clock.now(), signal, among: erased.photos }),
  );
  await authentication.endSession(client, cookies);
  await devices.forget(db, client, cookies);
  browsers.forget(client, cookies);
  return { data: null };
}

const describeObstacle = (obstacle: ErasureObstacle) =>
  obstacle.code === 'wallet-not-empty'
    ? privacyError('wallet-not-empty', { amount: formatAmount(obstacle.balancePaise + obstacle.unassignedPaise) })
    : privacyError(obstacle.code);
