/**
 * Requests of a customer whose account is deleted through another process at the same time: they
 * prevent the deletion, or write nothing after it. docs/decisions/0078.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { addClaim } from '../../src/domains/claims/contract.ts';
import { customerError, getDeskCustomer, grant } from '../../src/domains/customers/desk/contract.ts';
import { getDeskOrder, moveBack } from '../../src/domains/order-desk/desk/contract.ts';
import { addOrder } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { deleteAccount, privacyError } from '../../src/domains/privacy/contract.ts';
import { changeMessageSettings, updateUserDetails } from '../../src/domains/profile/contract.ts';
import { giveReferralBonus } from '../../src/domains/referrals/contract.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { addReview } from '../../src/domains/reviews/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { fail } from '../../src/contract/route.server.ts';
import { transaction } from '../../src/db/database.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newId } from '../../src/lib/ids.ts';
import { waitingStatements } from '../support/blocked-statements.ts';
import { signUpCustomer, verifyMobile } from '../support/customer.ts';
import { home, newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { samplePhoto, upload } from '../support/photos.ts';
import { newSession } from '../support/seed-customers.ts';
import { size } from '../support/size.ts';
import { newStaff } from '../support/staff.ts';
import { newTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';

const SECRET = 'Behind the yellow temple';
const ROUNDS = size({ small: 4, full: 60 });

async function startTwo() {
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(undefined, { BOT_CHECK: 'off' }), environment.start(undefined, { BOT_CHECK: 'off' })]);
  return environment;
}

/** A customer with a delivered order that is paid, and a confirmed code for the deletion. */
async function newDeletable(environment: TestEnvironment) {
  const customer = await newOrderingCustomer(environment);
  const { orderid } = await place(customer, {}, { idempotencyKey: newId() });
  const { db, clock } = environment;
  await weighOrder(db, orderid, 2000, 8, clock.now());
  await moveOrder(db, orderid, 'queue', clock.now());
  const payment = { orderid, method: 'cash', amountPaise: asPaise(7600) } as const;
  await transaction(db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, clock.now()));
  for (const stage of ['washing', 'delivery', 'delivered'] as const)
    await moveOrder(db, orderid, stage, clock.now(), { bonusTime: 'sign-up' });
  await verifyMobile(environment, customer.caller, customer.mobile, 'deletion');
  return { ...customer, orderid };
}

type Deletable = OrderingCustomer & { orderid: string };

const remove = ({ caller, userid }: Deletable) => caller.send(deleteAccount, { userid });

const writes: Record<string, (customer: Deletable) => Promise<unknown>> = {
  'an order': ({ caller, order }) => caller.send(addOrder, order, { idempotencyKey: newId() }),
  'an address': ({ caller, userid }) => caller.send(addAddress, { ...home, landmark: SECRET, userid }),
  'a review': ({ caller, userid }) => caller.send(addReview, { userid, star: 5, message: SECRET }),
  'a report': ({ caller, orderid }) => caller.send(addClaim, { orderid, kind: 'damaged', message: SECRET }, { idempotencyKey: newId() }),
  'a photo': ({ caller }) => upload(caller, samplePhoto('jpeg')),
  'a choice of messages': ({ caller }) =>
    caller.send(changeMessageSettings, { placed: false, attempted: true, delivery: true, delivered: true }),
  'a name': ({ caller, userid }) => caller.send(updateUserDetails, { token: userid, name: SECRET }),
};

const stageOf = async ({ db }: TestEnvironment, orderid: string) =>
  (await db.selectFrom('orders').select('stage').where('id', '=', orderid).executeTakeFirstOrThrow()).stage;

/** Counts what a customer has left after the erasure. */
async function countTraces({ db }: TestEnvironment, { userid }: Deletable) {
  const { rows } = await sql<{ traces: number }>`
    select (select count(*) from orders where customer_id = ${userid} and stage = 'pickup')
         + (select count(*) from addresses where customer_id = ${userid})
         + (select count(*) from reviews where customer_id = ${userid})
         + (select count(*) from claim_photos where customer_id = ${userid})
         + (select count(*) from notification_settings where customer_id = ${userid})
         + (select count(*) from claims where customer_id = ${userid} and status = 'open')
         + (select count(*) from customers where id = ${userid} and name is not null) as traces`.execute(db);
  return rows[0]?.traces;
}

test.each(Object.entries(writes))(
  '%s that waits for the deletion of the account is not written',
  { timeout: 120_000 },
  async (_what, write) => {
    const environment = await startTwo();
    const customer = await newDeletable(environment);
    // The deletion has erased the customer and waits for the session of another browser.
    await newSession(environment, customer.userid, 'guest');
    let deletion: ReturnType<typeof remove> | undefined;
    let written: Promise<unknown> | undefined;
    await environment.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('sessions')
        .select('kind')
        .where('customer_id', '=', customer.userid)
        .where('kind', '=', 'guest')
        .forUpdate()
        .execute();
      deletion = remove(customer);
      await waitingStatements(environment, 1);
      written = write(customer).catch((error: unknown) => error);
      await Promise.race([waitingStatements(environment, 2), written]);
    });
    expect(await deletion).toMatchObject({ response: 'success' });
    expect(await written).toMatchObject({ status: 401, code: 'login-required' });
    expect(await countTraces(environment, customer)).toBe(0);
  },
);

/**
 * Starts a deletion of the account, and `write` while the deletion waits with the customer locked.
 * Returns both results, with what `write` threw as its result.
 */
async function writeBesideDeletion(environment: TestEnvironment, customer: Deletable, write: () => Promise<unknown>) {
  await newSession(environment, customer.userid, 'guest');
  return environment.db
    .transaction()
    .execute(async (tx) => {
      const sessions = tx.selectFrom('sessions').select('kind').where('customer_id', '=', customer.userid).where('kind', '=', 'guest');
      await sessions.forUpdate().execute();
      const deleting = remove(customer);
      await waitingStatements(environment, 1);
      const writing = write().catch((error: unknown) => error);
      // Without a lock it ends here, and the wallet that is being given up has the money.
      await Promise.race([waitingStatements(environment, 2), writing]);
      return [deleting, writing] as const;
    })
    .then((both) => Promise.all(both));
}

test('a credit of the staff that waits for the deletion of the account is not given', { timeout: 120_000 }, async () => {
  const environment = await startTwo();
  const customer = await newDeletable(environment);
  const { caller } = await newStaff(environment, 'owner');
  const credit = { kind: 'promotion', mobile: customer.mobile, amount: asPaise(5000), reason: 'A welcome' } as const;
  const [deletion, granted] = await writeBesideDeletion(environment, customer, () =>
    caller.send(grant, credit, { idempotencyKey: newId() }),
  );
  expect(deletion).toMatchObject({ response: 'success' });
  expect(granted).toEqual(fail(customerError('customer-without-account')));
  expect(await readBalance(environment.db, customer.userid)).toBe(0);
});

test('a referral bonus that waits for the deletion of the referrer is not given', { timeout: 120_000 }, async () => {
  const environment = await startTwo();
  const customer = await newDeletable(environment);
  const friend = await signUpCustomer(environment, { referral: customer.mobile });
  const [deletion, given] = await writeBesideDeletion(environment, customer, () =>
    friend.caller.send(giveReferralBonus, { mob: customer.mobile, newuser: friend.mobile }),
  );
  expect(deletion).toMatchObject({ response: 'success' });
  expect(given).toMatchObject({ response: 'error' });
  expect(await readBalance(environment.db, customer.userid)).toBe(0);
});

test('any credit that waits for the deletion of the account is refused', { timeout: 120_000 }, async () => {
  const environment = await startTwo();
  const customer = await newDeletable(environment);
  const credit = {
    customerId: customer.userid,
    kind: 'promotion',
    amountPaise: asPaise(5000),
    reason: 'A test',
    reference: newId(),
  } as const;
  const [deletion, credited] = await writeBesideDeletion(environment, customer, () =>
    creditWallet(environment.db, { ...credit, at: environment.clock.now() }),
  );
  expect(deletion).toMatchObject({ response: 'success' });
  expect(credited).toMatchObject({ kind: 'conflict', code: 'customer-erased' });
  expect(await readBalance(environment.db, customer.userid)).toBe(0);
});

test('an order that the staff moves back while it waits for the deletion stays delivered', { timeout: 120_000 }, async () => {
  const environment = await startTwo();
  const customer = await newDeletable(environment);
  const { caller } = await newStaff(environment, 'owner');
  const { orderid } = customer;
  const { data } = await caller.send(getDeskOrder, { orderid });
  const [deletion, moved] = await writeBesideDeletion(environment, customer, () =>
    caller.send(moveBack, { orderid, version: data?.version ?? 0, reason: 'Nobody has it' }, { idempotencyKey: newId() }),
  );
  expect(deletion).toMatchObject({ response: 'success' });
  expect(moved).toMatchObject({ status: 409, code: 'customer-erased' });
  expect(await stageOf(environment, orderid)).toBe('delivered');
});

test(
  `${ROUNDS} times: of an order that is moved back and the deletion of its account at once, through two processes, one succeeds`,
  { timeout: 120_000 },
  async () => {
    const environment = await startTwo();
    const { caller } = await newStaff(environment, 'owner');
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await newDeletable(environment);
      const { orderid } = customer;
      const { data } = await caller.send(getDeskOrder, { orderid });
      const [moved, deleted] = await Promise.all([
        caller
          .send(moveBack, { orderid, version: data?.version ?? 0, reason: 'Nobody has it' }, { idempotencyKey: newId() })
          .catch((error: unknown) => error),
        remove(customer),
      ]);
      const isMoved = (moved as { response?: string }).response === 'success';
      if (isMoved) expect(deleted).toEqual(fail(privacyError('orders-open')));
      else expect([moved, deleted]).toMatchObject([{ code: 'customer-erased' }, { response: 'success' }]);
      expect(await stageOf(environment, orderid)).toBe(isMoved ? 'delivery' : 'delivered');
    }
  },
);

test('a look-up that waits for the deletion of the account finds no account', { timeout: 120_000 }, async () => {
  const environment = await startTwo();
  const customer = await newDeletable(environment);
  const { caller } = await newStaff(environment, 'owner');
  const [deletion, found] = await writeBesideDeletion(environment, customer, () =>
    caller.send(getDeskCustomer, { mobile: customer.mobile }),
  );
  expect(deletion).toMatchObject({ response: 'success' });
  expect(found).toEqual(fail(customerError('unknown-customer')));
});

test(
  `${ROUNDS} times: of an order and the deletion of its account at once, through two processes, one succeeds`,
  { timeout: 120_000 },
  async () => {
    const environment = await startTwo();
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await newDeletable(environment);
      const [placed, deleted] = await Promise.all([
        customer.caller.send(addOrder, customer.order, { idempotencyKey: newId() }).catch((error: unknown) => error),
        remove(customer).catch((error: unknown) => error),
      ]);
      const isPlaced = (placed as { response?: string }).response === 'success';
      // A deletion that a new order prevents leaves the session.
      if (isPlaced) expect(deleted).toEqual(fail(privacyError('orders-open')));
      else expect(deleted).toMatchObject({ response: 'success' });
      if (!isPlaced) expect(await countTraces(environment, customer)).toBe(0);
    }
  },
);
