/**
 * One row for each call, with a body that succeeds for its customer after `prepare`.
 * complete.test.ts fails for a call without a row, so every check of this folder covers every call.
 */
import { login, logout, lookUp, lookUpQueries, signUp } from '../../src/domains/accounts/contract.ts';
import { analyticsSettings, collectEvents } from '../../src/domains/analytics/contract.ts';
import { addAddress, deleteAddress, editAddress, getAddress, getAddresses } from '../../src/domains/addresses/contract.ts';
import { transaction } from '../../src/db/database.server.ts';
import { challenge } from '../../src/domains/bot-check/contract.ts';
import { addClaim, addPhoto, addReply, getClaims } from '../../src/domains/claims/contract.ts';
import { settleClaim } from '../../src/domains/claims/service.server.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { reportError } from '../../src/domains/error-reports/contract.ts';
import { getEvenings } from '../../src/domains/evenings/contract.ts';
import { getOffers } from '../../src/domains/offers/contract.ts';
import { addOrder, cancelOrder, getMoreOrders, getOrder, getOrders, reschedule, undoCancel } from '../../src/domains/orders/contract.ts';
import { cancelOrder as cancelByLaundry } from '../../src/domains/orders/cancelling-service.server.ts';
import { chooseDelivery } from '../../src/domains/orders/delivery-contract.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import {
  getOrderPayments,
  getPaymentDetails,
  payWithWallet,
  reportPaid,
  startPayment,
  walletPayment,
} from '../../src/domains/payments/contract.ts';
import { checkDeletion, deleteAccount } from '../../src/domains/privacy/contract.ts';
import { readPaidPaise } from '../../src/domains/payments/store.server.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { changeMessageSettings, getMessageSettings, getUserDetails, updateUserDetails } from '../../src/domains/profile/contract.ts';
import { giveReferralBonus } from '../../src/domains/referrals/contract.ts';
import { addReview, getOwnReviews, getReviews, getSummary, withdrawReview } from '../../src/domains/reviews/contract.ts';
import { confirmCode, sendCode, type Purpose } from '../../src/domains/verification/contract.ts';
import { getMoreTransactions, getTransactions } from '../../src/domains/wallet/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import type { Call, Caller } from '../../src/contract/define-call.ts';
import { encodeBody } from '../../src/contract/send.ts';
import { newestCode, requestCode, verifyMobile } from '../support/customer.ts';
import { home, moveOutForDelivery, place } from '../support/ordering.ts';
import type { TestProgram } from '../support/program.ts';
import { newCustomer, randomMobile } from '../support/seed-customers.ts';
import { PASSWORD, type Party } from './parties.ts';

export interface Row {
  /** The path, and a variant if the call has several rows. */
  readonly title: string;
  readonly call: Call<unknown, unknown>;
  /** The callers that may make the call with this body. */
  readonly caller: Caller;
  /** Returns the JSON body of the request. */
  body(own: Party): Record<string, unknown>;
  /** Fields with the id of a resource that a customer owns. */
  readonly ownedIds: readonly ('addressid' | 'orderid' | 'claimid' | 'reviewid')[];
  /**
   * Makes the state in which the call succeeds for its customer, and returns the fields of the body
   * that belong to it. Without it the call would refuse every caller, and the row could not fail.
   */
  prepare?(program: TestProgram, party: Party): Promise<Record<string, unknown>>;
}

function row<Body>(call: Call<Body, unknown>, body: (own: Party) => Body, ...ownedIds: Row['ownedIds']): Row {
  const onWire = (own: Party) => JSON.parse(encodeBody(call, body(own))) as Record<string, unknown>;
  return { title: call.path, call, caller: call.caller, body: onWire, ownedIds };
}

/** The caller has confirmed a code for this mobile. */
const confirmed =
  (purpose: Purpose) =>
  async (program: TestProgram, { caller, mobile }: Party) => {
    await verifyMobile(program, caller, mobile, purpose);
    return {};
  };

/** Places another order of the party: a repeated request without a key is no new order. */
const placeAnother = async (party: Party) => ({ orderid: (await place(party, {}, { idempotencyKey: newId() })).orderid });

const unweighed = (_: TestProgram, party: Party) => placeAnother(party);

/** The amount of the order of parties.ts, and the wallet's half. */
const FINAL = asPaise(7600);
const HALF = asPaise(3800);

export const rows: readonly Row[] = [
  row(challenge, () => ({})),
  row(sendCode, ({ mobile }) => ({ mobile, purpose: 'reset', challenge: '' })),
  {
    ...row(confirmCode, ({ mobile }) => ({ mobile, purpose: 'reset', code: '000000' })),
    async prepare(program, { caller, mobile }) {
      await requestCode(caller, mobile, 'reset');
      return { code: await newestCode(program, mobile) };
    },
  },
  {
    ...row(signUp, ({ mobile }) => ({ name: 'Meera', mobile, password: PASSWORD, consent: 'By signing up' })),
    async prepare(program, { caller }) {
      const mobile = randomMobile();
      await verifyMobile(program, caller, mobile, 'signup');
      return { mobile };
    },
  },
  row(login, ({ mobile }) => ({ mobile, password: PASSWORD })),
  row(logout, () => ({})),
  row(lookUp, ({ mobile }) => ({ query: lookUpQueries.mobileAndUserid(mobile) })),
  {
    ...row(giveReferralBonus, ({ mobile }) => ({ mob: '9000000001', newuser: mobile })),
    async prepare(program, { userid }) {
      const referrer = await newCustomer(program);
      await program.db.updateTable('customers').set({ referred_by: referrer.userid }).where('id', '=', userid).execute();
      return { mob: referrer.mobile };
    },
  },
  // Two rows: the allowed callers depend on the changed field.
  {
    ...row(updateUserDetails, ({ userid }) => ({ token: userid, name: 'Meera Nair' })),
    title: 'login/updateuserdetails.php, name',
    caller: 'customer',
  },
  {
    ...row(updateUserDetails, ({ userid }) => ({ token: userid, password: 'another one' })),
    title: 'login/updateuserdetails.php, password',
    async prepare(program, party) {
      await confirmed('reset')(program, party);
      const { data } = await party.caller.send(lookUp, { query: lookUpQueries.mobileAndUserid(party.mobile) });
      return { token: data?.[0]?.userid };
    },
  },
  row(analyticsSettings, () => ({})),
  row(collectEvents, () => ({ visit: '0123456789ABCDEFGHJK', events: [{ name: 'page_view', page: 'home' }] })),
  row(getUserDetails, ({ userid }) => ({ token: userid })),
  row(programsAndReviews, () => ({})),
  row(getReviews, () => ({ offset: 0 })),
  row(getSummary, () => ({})),
  row(addReview, ({ userid }) => ({ userid, star: 5, message: 'Clean, folded and on time' })),
  row(getOwnReviews, ({ userid }) => ({ userid })),
  row(withdrawReview, ({ userid, reviewid }) => ({ userid, reviewid }), 'reviewid'),
  row(reportError, () => ({ error: JSON.stringify({ message: 'A test', stack: '', context: {} }) })),
  row(addAddress, ({ userid }) => ({ ...home, userid })),
  row(getAddresses, ({ userid }) => ({ userid })),
  row(getAddress, ({ userid, addressid }) => ({ userid, addressid }), 'addressid'),
  row(editAddress, ({ userid, addressid }) => ({ ...home, name: 'Meera and Arun', userid, addressid }), 'addressid'),
  row(deleteAddress, ({ userid, addressid }) => ({ userid, addressid }), 'addressid'),
  row(getEvenings, () => ({})),
  row(addOrder, ({ order }) => order, 'addressid'),
  row(getOrders, ({ userid }) => ({ userid })),
  row(getMoreOrders, ({ userid }) => ({ userid, offset: 0 })),
  row(getOrder, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  { ...row(cancelOrder, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'), prepare: unweighed },
  row(undoCancel, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  { ...row(reschedule, ({ userid, orderid }) => ({ userid, orderid, pickup_date: '2026-11-24' }), 'orderid'), prepare: unweighed },
  {
    ...row(chooseDelivery, ({ userid, orderid }) => ({ userid, orderid, delivery_date: '2026-11-24' }), 'orderid'),
    async prepare(program, party) {
      const { orderid } = await placeAnother(party);
      await moveOutForDelivery(program, orderid);
      const visit = { kind: 'attempted', why: 'nobody-home', at: program.clock.now() } as const;
      await transaction(program.db, (tx) => insertOrderEvent(tx, orderid, visit));
      return { orderid };
    },
  },
  row(walletPayment, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  row(payWithWallet, ({ userid, orderid }) => ({ userid, orderid, walletpayment: HALF, walletbalance: 60 }), 'orderid'),
  // The tid of a received payment grants access to it (payments/wallet-payment.test.ts).
  {
    ...row(getPaymentDetails, () => ({ tid: 'AAAAAAAAAAAAAAAAAAAAAA' })),
    async prepare({ db }, { caller, userid, orderid }) {
      await caller.send(payWithWallet, { userid, orderid, walletpayment: HALF });
      return db.selectFrom('payments').select('tid').where('order_id', '=', orderid).executeTakeFirstOrThrow();
    },
  },
  { ...row(getPaymentDetails, () => ({ tid: 'AAAAAAAAAAAAAAAAAAAAAA' })), title: 'payments/getorderdetails.php, unknown' },
  row(getOrderPayments, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  row(startPayment, ({ userid, orderid }) => ({ userid, orderid, method: 'gateway' as const, amount: FINAL }), 'orderid'),
  row(reportPaid, ({ userid, orderid }) => ({ userid, orderid, tid: 'AAAAAAAAAAAAAAAAAAAAAA' }), 'orderid'),
  row(addPhoto, ({ userid }) => ({ userid })),
  row(addClaim, ({ userid, orderid }) => ({ userid, orderid, kind: 'damaged' as const, message: 'A button is missing' }), 'orderid'),
  row(addReply, ({ userid, claimid }) => ({ userid, claimid, message: 'It is the grey one' }), 'claimid'),
  row(getClaims, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  row(getMessageSettings, ({ userid }) => ({ userid })),
  row(changeMessageSettings, ({ userid }) => ({ userid, placed: false, attempted: true, delivery: true, delivered: true })),
  {
    ...row(deleteAccount, ({ userid }) => ({ userid, gives_up: asPaise(10_000) })),
    async prepare(program, party) {
      const now = program.clock.now();
      await settleClaim(program.db, { id: party.claimid, amountPaise: asPaise(0), message: 'We found it' }, now);
      const dependencies = { db: program.db, readPaidPaise };
      await cancelByLaundry(dependencies, laundryCommand(), { orderid: party.orderid }, now);
      await program.db.updateTable('orders').set({ returned_at: now }).where('id', '=', party.orderid).execute();
      return confirmed('deletion')(program, party);
    },
  },
  row(checkDeletion, ({ userid }) => ({ userid })),
  row(getOffers, ({ userid }) => ({ userid })),
  row(getTransactions, ({ userid }) => ({ userid })),
  row(getMoreTransactions, ({ userid }) => ({ userid, offset: 0 })),
];
