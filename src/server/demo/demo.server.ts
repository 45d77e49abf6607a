/**
 * The sample data of a demonstration: a customer with orders in every stage, payments, offers and
 * reviews. The services of the domains create it, with times relative to the current day.
 */
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { kolkataDay, kolkataTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, discountedRatePaise, walletPartPaise, type Paise } from '../../lib/money.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { StartupError } from '../../db/embedded.server.ts';
import { createSampleAccount } from '../../domains/accounts/service.server.ts';
import {
  findAccount,
  findAccountLike,
  hasCustomerOutside,
  erasePersonalDataOfCustomer,
  deletePasswords,
} from '../../domains/accounts/store.server.ts';
import { SERVED_LOCATION, type AddressForm } from '../../domains/addresses/contract.ts';
import { saveAddress } from '../../domains/addresses/service.server.ts';
import type { Area, ServiceId } from '../../domains/catalogue/contract.ts';
import { readCatalogue } from '../../domains/catalogue/service.server.ts';
import { TIMESLOT, type Stage } from '../../domains/orders/contract.ts';
import { choicesOf } from '../../domains/orders/choices-contract.ts';
import { placeOrder } from '../../domains/orders/placing-service.server.ts';
import { moveOrder, weighOrder } from '../../domains/orders/service.server.ts';
import { activeOffer } from '../../domains/offers/rules.ts';
import { grantOffer, listOffers } from '../../domains/offers/service.server.ts';
import { duePaise } from '../../domains/payments/rules.ts';
import { recordManualPaymentOnce } from '../../domains/manual-payments/service.server.ts';
import { overpaymentReference } from '../../domains/payments/overpayment-service.server.ts';
import { payFromWallet } from '../../domains/payments/service.server.ts';
import { readPayableOrder } from '../../domains/payments/store.server.ts';
import { writeSampleReviews } from '../../domains/reviews/service.server.ts';
import { newPseudonym } from '../../domains/privacy/service.server.ts';
import { deleteSessionsOf } from '../../domains/sessions/store.server.ts';
import { createSampleStaff, removeSamplePerson } from '../../domains/staff/service.server.ts';
import { hasStaff, listPeopleOfDemo } from '../../domains/staff/store.server.ts';
import { deleteVerificationsOf } from '../../domains/verification/store.server.ts';
import type { SignedInCustomer } from '../../domains/sessions/authentication.server.ts';
import { ledgerReference } from '../../domains/wallet/reference-rules.ts';
import { creditWallet } from '../../domains/wallet/service.server.ts';
import { createPasswords } from '../../security/passwords.server.ts';
import { mobileNumberHash } from '../../security/tokens.server.ts';
import { laundryCommand } from '../../domains/staff/authentication.server.ts';

export const SAMPLE_CUSTOMER = { name: 'Sample Customer', mobile: '9876543210', password: 'fresh and folded' } as const;

/**
 * The pattern of the mobiles of seeded customers, who have the same password. No Indian mobile
 * number begins with 5: no message to them reaches a person.
 */
export const SEEDED_MOBILES = '5%';

/** They have the password of the sample customer. */
export const SAMPLE_STAFF = [
  { name: 'Sample Owner', mobile: '9000000001', role: 'owner' },
  { name: 'Sample Operator', mobile: '9000000002', role: 'operator' },
  { name: 'Sample Rider', mobile: '9000000003', role: 'rider' },
] as const;

const { name, mobile } = SAMPLE_CUSTOMER;

/** An address in each area: the order of an area goes to its address. */
const ADDRESSES = {
  manesar: {
    name,
    mobile,
    address1: 'Plot 21, second floor',
    address2: 'Sector-1',
    landmark: 'Behind the post office',
    ...SERVED_LOCATION,
  },
  vatika: { name, mobile, address1: 'Flat 304, Tower C', address2: 'Sector 82', landmark: 'Near the main gate', ...SERVED_LOCATION },
} as const satisfies Record<Area, AddressForm>;

/**
 * A time in the past: at a time in Asia/Kolkata, a number of days before today or before the day of
 * the last pickups, or a number of minutes ago.
 */
type Past = { days: number; at: string } | { daysBeforePickups: number; at: string } | { minutes: number };

/**
 * From this time in Asia/Kolkata the last pickups were today, not yesterday. Otherwise their
 * clothes, which are due on the evening after, would soon be late. The pickups and stages of the
 * open orders need the time from the start of the slot.
 */
const PICKUPS_MADE_TIME = '18:00';

interface SampleOrder {
  program: ServiceId;
  area: Area;
  placed: Past;
  weighed?: { grams: number; items: number };
  entered: readonly (readonly [Stage, Past])[];
}

const ORDERS: readonly SampleOrder[] = [
  {
    program: 'wash-iron',
    area: 'vatika',
    placed: { days: 6, at: '11:20' },
    weighed: { grams: 6400, items: 18 },
    entered: [
      ['queue', { days: 6, at: '17:40' }],
      ['washing', { days: 5, at: '09:10' }],
      ['delivery', { days: 5, at: '16:30' }],
      ['delivered', { days: 5, at: '18:05' }],
    ],
  },
  {
    program: 'iron',
    area: 'manesar',
    placed: { daysBeforePickups: 1, at: '18:45' },
    weighed: { grams: 3250, items: 14 },
    entered: [
      ['queue', { daysBeforePickups: 0, at: '17:05' }],
      ['washing', { minutes: 40 }],
      ['delivery', { minutes: 15 }],
    ],
  },
  {
    program: 'wash',
    area: 'vatika',
    placed: { daysBeforePickups: 0, at: '09:40' },
    weighed: { grams: 4750, items: 21 },
    entered: [
      ['queue', { daysBeforePickups: 0, at: '17:15' }],
      ['washing', { minutes: 30 }],
    ],
  },
  {
    program: 'wash-iron',
    area: 'manesar',
    placed: { daysBeforePickups: 0, at: '12:30' },
    weighed: { grams: 5100, items: 16 },
    entered: [['queue', { daysBeforePickups: 0, at: '17:25' }]],
  },
  { program: 'wash', area: 'manesar', placed: { minutes: 20 }, entered: [] },
];

/** The first order is placed while the first offer is active, the other orders between the two. */
const OFFERS = [
  { percent: 15, validDays: 3, reason: 'Welcome', at: { days: 8, at: '10:06' } },
  { percent: 10, validDays: 30, reason: 'Come again', at: { minutes: 10 } },
] as const;

const GRANTS = [
  { kind: 'cashback', amountPaise: asPaise(2500), reason: 'Cashback for the first order', at: { days: 5, at: '19:00' } },
  { kind: 'compensation', amountPaise: asPaise(4000), reason: 'A button was lost', at: { days: 4, at: '12:30' } },
] as const;

const JOINED: Past = { days: 8, at: '10:05' };
const REVIEWED: Past = { days: 4, at: '20:15' };

function timeOf(past: Past, now: Date): Date {
  if ('minutes' in past) return addSeconds(now, -60 * past.minutes);
  const days = 'days' in past ? past.days : past.daysBeforePickups + (kolkataTime(now) >= PICKUPS_MADE_TIME ? 0 : 1);
  return new Date(`${kolkataDay(addSeconds(now, -DAY_SECONDS * days))}T${past.at}:00+05:30`);
}

/**
 * Creates the sample customer and the people of the staff. Changes to them remain: nothing is
 * created twice. Creates nothing and returns false in a database with customers of its own, where
 * accounts with a published password have no place.
 */
export async function loadSamples(program: { db: Db; clock: Clock }): Promise<boolean> {
  const account = await findAccount(program.db, mobile);
  const isSample = account?.name === name;
  if (!isSample && (account || (await hasCustomerOutside(program.db, [mobile, SEEDED_MOBILES])))) return false;
  await loadSampleCustomer(program);
  await loadSampleStaff(program);
  return true;
}

/**
 * Throws `StartupError` if a sample customer has the published password, or if there are people of
 * the sample staff or people whom they have added: any visitor could have used these accounts.
 */
export async function refuseSampleAccounts(db: Db) {
  const open = await findOpenAccounts(db);
  const mobiles = [...open.staff, ...open.customers, ...open.seeded].map((account) => account.mobile);
  if (mobiles.length > 0)
    throw new StartupError(
      `MODE=live: the database has accounts of a demonstration, which are open to its visitors: ${mobiles.join(', ')}. Use an empty database, or end these accounts: npm run seed -- --end-accounts`,
    );
}

/**
 * Ends the sample accounts, and the people of the staff whom visitors can have added: no log-in to
 * them succeeds. Their orders and payments remain, as those of every customer. Returns the number
 * of accounts.
 */
export const endSampleAccounts = (db: Db, now: Date): Promise<number> =>
  transaction(db, async (tx) => {
    const open = await findOpenAccounts(tx);
    for (const person of open.staff) await removeSamplePerson(tx, person.id, now);
    for (const { id } of open.customers) {
      await erasePersonalDataOfCustomer(tx, { id, mobile, pseudonym: newPseudonym() });
      await deleteSessionsOf(tx, [id]);
      await deleteVerificationsOf(tx, mobile);
    }
    const seeded = await deletePasswords(tx, SEEDED_MOBILES);
    await deleteSessionsOf(tx, seeded);
    return open.staff.length + open.customers.length + seeded.length;
  });

/**
 * Returns the accounts that visitors of a demonstration could have used. `staff` has the people of
 * `listPeopleOfDemo`, whatever their password. `customers` has the sample customer, and `seeded` at
 * most one of the seeded customers, each only with the published password.
 */
async function findOpenAccounts(db: Db) {
  const passwords = createPasswords();
  const isOpen = (account: { password_hash: string | null } | undefined) =>
    passwords.matches(SAMPLE_CUSTOMER.password, account?.password_hash ?? undefined);
  const onlyOpen = async <Account extends { password_hash: string | null }>(accounts: (Account | undefined)[]) => {
    const found: Account[] = [];
    for (const account of accounts) if (account && (await isOpen(account))) found.push(account);
    return found;
  };
  const sampleMobiles = SAMPLE_STAFF.map((person) => person.mobile);
  return {
    staff: await listPeopleOfDemo(db, sampleMobiles),
    customers: await onlyOpen([await findAccount(db, mobile)]),
    seeded: await onlyOpen([await findAccountLike(db, SEEDED_MOBILES)]),
  };
}

/** Does nothing if the database has people of the staff. */
async function loadSampleStaff({ db, clock }: { db: Db; clock: Clock }) {
  if (await hasStaff(db)) return;
  const passwordHash = await createPasswords().hash(SAMPLE_CUSTOMER.password);
  await createSampleStaff(db, SAMPLE_STAFF, passwordHash, clock.now());
}

/**
 * Creates the sample data in one transaction. Does nothing if the sample customer exists, so that
 * later changes are not lost. Concurrent processes wait for the first at the customer's unique
 * mobile number.
 */
async function loadSampleCustomer({ db, clock }: { db: Db; clock: Clock }) {
  const now = clock.now();
  if (await findAccount(db, mobile)) return;
  const { variations } = await readCatalogue(db);
  const passwordHash = await createPasswords().hash(SAMPLE_CUSTOMER.password);

  await transaction(db, async (tx) => {
    const customer = await createSampleAccount(tx, { id: newId(), mobile, name, passwordHash }, timeOf(JOINED, now));
    if (!customer) return;
    const joined = timeOf(JOINED, now);
    const addressids = {
      manesar: await saveAddress(tx, customer, { ...ADDRESSES.manesar, area: 'manesar' }, joined),
      vatika: await saveAddress(tx, customer, { ...ADDRESSES.vatika, area: 'vatika' }, addSeconds(joined, 60)),
    };
    for (const { at, ...offer } of OFFERS) {
      const startsAt = timeOf(at, now);
      await grantOffer(tx, { customerId: customer.id, startsAt, ...offer }, startsAt);
    }
    for (const { at, ...credit } of GRANTS) {
      await creditWallet(tx, { ...credit, customerId: customer.id, reference: newGrantReference(), at: timeOf(at, now) });
    }
    for (const { program, area, placed, weighed, entered } of ORDERS) {
      const rate = variations.find((row) => row.programid === program && row.area === area)?.rate;
      // The operator may have changed the catalogue.
      if (!rate) continue;
      const rates = await displayedRates(tx, customer, rate, timeOf(placed, now));
      const request = { addressid: addressids[area], timeslot: TIMESLOT, program, area, ...rates, ...choicesOf(program) };
      const parts = { db: tx, maxOrdersPerDay: ORDERS.length, hashMobile: mobileNumberHash('samples') };
      const { data: order } = await placeOrder(parts, customer, request, newId(), timeOf(placed, now));
      invariant(order, 'the sample order was placed');
      const { orderid } = order;
      for (const [stage, past] of entered) {
        if (weighed && stage === 'queue') await weighOrder(tx, orderid, weighed.grams, weighed.items, timeOf(past, now));
        if (stage === 'delivered') await paySample(tx, customer, orderid, timeOf(past, now));
        await moveOrder(tx, orderid, stage, timeOf(past, now), { bonusTime: 'sign-up' });
      }
    }
    await writeSampleReviews(tx, customer.id, timeOf(REVIEWED, now));
  });
}

/** Returns the rates and the offer that the page showed to the customer at that time. */
async function displayedRates(tx: Tx, customer: SignedInCustomer, rate: Paise, at: Date) {
  const offer = activeOffer(await listOffers(tx, customer), at);
  const percent = offer?.percent ?? 0;
  return { programrate: rate, orderrate: discountedRatePaise(rate, percent), offerid: offer?.id ?? null, offerrate: percent };
}

const newGrantReference = () => ledgerReference('grant', { grant: newId() });

const WELCOME_PAISE = asPaise(30_000);
const CHANGE_PAISE = asPaise(340);

/**
 * Pays half of the order from the wallet, after a welcome credit, and the rest in cash, with change
 * for the wallet.
 */
async function paySample(tx: Tx, customer: SignedInCustomer, orderid: string, at: Date) {
  const credit = { kind: 'promotion', amountPaise: WELCOME_PAISE, reason: 'Welcome', reference: newGrantReference() } as const;
  await creditWallet(tx, { ...credit, customerId: customer.id, at: addSeconds(at, -DAY_SECONDS) });
  const { order } = await readPayableOrder(tx, customer, orderid);
  const due = order && duePaise(order);
  invariant(due, 'a delivered sample order was weighed');
  const half = walletPartPaise(due);
  const { data: paid } = await payFromWallet(
    tx,
    customer,
    { orderid, walletpayment: half },
    { now: addSeconds(at, -60 * 60), supportEmail: '' },
  );
  invariant(paid, 'the welcome credit covers half of the order');
  const cash = await recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: asPaise(due - half) }, at);
  invariant(cash.status === 'recorded', 'the cash is the rest of the order');
  await creditWallet(tx, {
    customerId: customer.id,
    kind: 'change',
    amountPaise: CHANGE_PAISE,
    reason: 'Change of a cash payment',
    reference: overpaymentReference(cash.reference),
    at: addSeconds(at, 60),
  });
}
