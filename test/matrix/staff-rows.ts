/** One row for each staff call, with a body that succeeds for the roles of `STAFF_CALLS`. */
import { getAudit } from '../../src/domains/staff/desk/audit-contract.ts';
import {
  addPasskey,
  getPeople,
  passkeyLogin,
  passkeyOptions,
  setPerson,
  checkStaffLink,
  setStaffPassword,
  staffLogin,
  staffLogout,
  staffMe,
  type StaffCall,
  type StaffCallPath,
} from '../../src/domains/staff/desk/contract.ts';
import { explainDifference, getCash, handIn } from '../../src/domains/cash/desk/contract.ts';
import { getBoard } from '../../src/domains/order-desk/desk/board-contract.ts';
import {
  attempt,
  cancelDeskOrder,
  getDeskOrder,
  listOrders,
  move,
  moveBack,
  receive,
  rescheduleOrder,
  reversePayment,
  weigh,
} from '../../src/domains/order-desk/desk/contract.ts';
import { assign, listRiders } from '../../src/domains/order-desk/desk/riders-contract.ts';
import { countBags, explainBags } from '../../src/domains/order-desk/desk/bags-contract.ts';
import { renewCode } from '../../src/domains/order-desk/desk/code-contract.ts';
import { confirmUpi, dismissUpi, listUpiPayments } from '../../src/domains/order-desk/desk/upi-contract.ts';
import { addOrderPhoto } from '../../src/domains/order-desk/desk/photos-contract.ts';
import {
  checkLedger,
  getAlerts,
  getSystem,
  listErrorReports,
  listUnsentMessages,
  sendMessageAgain,
} from '../../src/domains/system/desk/contract.ts';
import { answerDeskClaim, assignDeskClaim, listDeskClaims, settleDeskClaim } from '../../src/domains/claims/desk/contract.ts';
import { endOffer, getDeskCustomer, grant, payOut, reverse } from '../../src/domains/customers/desk/contract.ts';
import { getReport } from '../../src/domains/figures/desk/contract.ts';
import { listPrograms, setProgram } from '../../src/domains/catalogue/desk/contract.ts';
import { listDeskEvenings, setEvenings } from '../../src/domains/evenings/desk/contract.ts';
import { listDeskReviews, moderateReview } from '../../src/domains/reviews/desk/contract.ts';
import { asPaise } from '../../src/lib/money.ts';
import { encodeBody } from '../../src/contract/send.ts';
import { randomMobile } from '../support/seed-customers.ts';

/** The ids that the bodies name. */
export interface StaffScene {
  /** Another person of the staff, a rider. */
  readonly colleagueId: string;
  /** Holds cash. */
  readonly holderId: string;
  /** A message that the SMS gateway has refused. */
  readonly messageid: string;
  /** A hand-in with an open difference. */
  readonly handinid: string;
  /** An order at pickup that is not weighed. */
  readonly pickup: { readonly orderid: string; readonly version: number };
  /** A report about it. */
  readonly claimid: string;
  readonly reviewid: string;
  /** A customer with an account, and a credit and an offer that the laundry gave. */
  readonly customer: { readonly mobile: string; readonly entryid: string; readonly offerid: string };
  /**
   * An order that the requester has just moved out for delivery, with a payment in cash, and a UPI
   * payment that its customer reported.
   */
  readonly delivery: Readonly<{ orderid: string; version: number; code: string; tid: string; reference: string }>;
}

export interface StaffRow {
  readonly call: StaffCall<unknown, unknown>;
  /**
   * Whether a call that checks no role succeeds: `never` if it needs a secret, which the row does
   * not have, and `for staff` if it needs a session.
   */
  readonly succeeds: 'always' | 'for staff' | 'never';
  body(scene: StaffScene): Record<string, unknown>;
}

function row<Body>(
  call: StaffCall<Body, unknown>,
  body: (scene: StaffScene) => NoInfer<Body>,
  succeeds: StaffRow['succeeds'] = 'always',
): StaffRow {
  return { call, succeeds, body: (scene) => JSON.parse(encodeBody(call, body(scene))) as Record<string, unknown> };
}

export const staffRows: Readonly<Record<StaffCallPath, StaffRow>> = {
  'staff/login': row(staffLogin, () => ({ mobile: randomMobile(), password: 'not the password' }), 'never'),
  'staff/logout': row(staffLogout, () => ({})),
  'staff/setpassword': row(setStaffPassword, () => ({ token: 'unknown', password: 'long enough' }), 'never'),
  'staff/checklink': row(checkStaffLink, () => ({ token: 'unknown' }), 'never'),
  'staff/passkeyoptions': row(passkeyOptions, () => ({}), 'for staff'),
  'staff/passkeylogin': row(passkeyLogin, () => ({ credential: { id: 'unknown' } }), 'never'),
  'staff/addpasskey': row(addPasskey, () => ({ credential: { id: 'unknown' } }), 'never'),
  'staff/me': row(staffMe, () => ({}), 'for staff'),
  'staff/people': row(getPeople, () => ({})),
  'staff/setperson': row(setPerson, ({ colleagueId }) => ({
    action: 'change' as const,
    personid: colleagueId,
    name: 'Another name',
    role: 'operator' as const,
  })),
  'staff/audit': row(getAudit, () => ({})),
  'staff/orders': row(listOrders, () => ({})),
  'staff/board': row(getBoard, () => ({})),
  'staff/order': row(getDeskOrder, ({ pickup: { orderid } }) => ({ orderid })),
  'staff/weigh': row(weigh, ({ pickup }) => ({ ...pickup, weight: 2500, items: 9, reason: 'A second bag' })),
  'staff/move': row(move, ({ delivery: { orderid, version, code } }) => ({ orderid, version, code, stage: 'delivered' })),
  'staff/moveback': row(moveBack, ({ delivery: { orderid, version } }) => ({ orderid, version })),
  'staff/attempt': row(attempt, ({ pickup }) => ({ ...pickup, why: 'nobody-home' as const })),
  'staff/reschedule': row(rescheduleOrder, ({ pickup }) => ({ ...pickup, pickup_date: '2026-11-24', reason: 'A broken machine' })),
  'staff/renewcode': row(renewCode, ({ delivery: { orderid, version } }) => ({ orderid, version })),
  'staff/countbags': row(countBags, ({ delivery: { orderid, version } }) => ({ orderid, version, bags: 2 })),
  'staff/explainbags': row(explainBags, ({ delivery: { orderid, version } }) => ({ orderid, version, note: 'One bag was in the other' })),
  'staff/cancel': row(cancelDeskOrder, ({ pickup }) => ({ ...pickup, reason: 'A double order' })),
  'staff/assign': row(assign, ({ pickup, colleagueId }) => ({ ...pickup, rider: colleagueId })),
  'staff/riders': row(listRiders, () => ({})),
  'staff/receive': row(receive, ({ delivery: { orderid } }) => ({ orderid, method: 'cash' as const, amount: asPaise(100) })),
  'staff/photo': row(addOrderPhoto, ({ pickup: { orderid } }) => ({ orderid, kind: 'damage' as const })),
  'staff/upipayments': row(listUpiPayments, () => ({ day: '2026-11-21' })),
  'staff/confirmupi': row(confirmUpi, ({ delivery: { orderid, reference } }) => ({ orderid, reference })),
  'staff/dismissupi': row(dismissUpi, ({ delivery: { orderid, reference } }) => ({ orderid, reference, reason: 'Not on the statement' })),
  'staff/cash': row(getCash, () => ({})),
  'staff/handin': row(handIn, ({ holderId }) => ({ personid: holderId, counted: asPaise(100) })),
  'staff/explaincash': row(explainDifference, ({ handinid }) => ({ handinid, explanation: 'Fuel' })),
  'staff/reversepayment': row(reversePayment, ({ delivery: { tid } }) => ({ tid, reason: 'A mistake' })),
  'staff/claims': row(listDeskClaims, () => ({})),
  'staff/answerclaim': row(answerDeskClaim, ({ claimid }) => ({ claimid, answer: 'We are looking for it.' })),
  'staff/assignclaim': row(assignDeskClaim, ({ claimid }) => ({ claimid, person: null })),
  'staff/settleclaim': row(settleDeskClaim, ({ claimid }) => ({ claimid, answer: 'We found it.', amount: asPaise(5000) })),
  'staff/customer': row(getDeskCustomer, ({ customer: { mobile } }) => ({ mobile })),
  'staff/grant': row(grant, ({ customer: { mobile } }) => ({
    kind: 'cashback' as const,
    mobile,
    amount: asPaise(100),
    reason: 'A long wait',
  })),
  'staff/reviews': row(listDeskReviews, () => ({})),
  'staff/moderate': row(moderateReview, ({ reviewid }) => ({ reviewid, hidden: true, reason: 'An insult' })),
  'staff/programs': row(listPrograms, () => ({})),
  'staff/setprogram': row(setProgram, () => ({
    programid: 'wash' as const,
    rate: asPaise(3800),
    surcharges: { manesar: asPaise(0), vatika: asPaise(1000) },
    before: { rate: asPaise(3800), surcharges: { manesar: asPaise(0), vatika: asPaise(1000) } },
  })),
  'staff/report': row(getReport, () => ({ from: '2026-11-01', to: '2026-11-30' })),
  'staff/system': row(getSystem, () => ({})),
  'staff/alerts': row(getAlerts, () => ({})),
  'staff/checkledger': row(checkLedger, () => ({})),
  'staff/messages': row(listUnsentMessages, () => ({})),
  'staff/sendagain': row(sendMessageAgain, ({ messageid }) => ({ messageid })),
  'staff/errorreports': row(listErrorReports, () => ({})),
  'staff/slots': row(listDeskEvenings, () => ({})),
  'staff/setslots': row(setEvenings, () => ({
    action: 'plan' as const,
    area: 'manesar' as const,
    cut_off: '16:00',
    capacity: null,
    closed_weekdays: [],
    before: { cut_off: '16:00', capacity: null, closed_weekdays: [] },
  })),
  'staff/payout': row(payOut, ({ customer: { mobile } }) => ({ mobile, amount: asPaise(100), reason: 'By UPI' })),
  'staff/endoffer': row(endOffer, ({ customer: { offerid } }) => ({ offerid, reason: 'A mistake' })),
  'staff/reverse': row(reverse, ({ customer: { entryid } }) => ({ entryid, reason: 'A mistake' })),
};
