/**
 * One row per call: a body that works for its own customer. A call that is served but stands in no row fails complete.test.ts, so nobody can add one
 * without every check of this folder running against it.
 */
import { login, logout, lookUp, lookUpQueries, signUp } from '../../src/domains/accounts/contract.ts';
import { addAddress, deleteAddress, editAddress, getAddress, getAddresses } from '../../src/domains/addresses/contract.ts';
import { challenge } from '../../src/domains/bot-check/contract.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { reportError } from '../../src/domains/error-reports/contract.ts';
import { addOrder, getMoreOrders, getOrder, getOrders } from '../../src/domains/orders/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { giveReferralBonus } from '../../src/domains/referrals/contract.ts';
import { confirmCode, sendCode } from '../../src/domains/verification/contract.ts';
import { getMoreTransactions, getTransactions } from '../../src/domains/wallet/contract.ts';
import type { Call } from '../../src/web/call.ts';
import { writeBody } from '../../src/web/client.ts';
import { home } from '../support/ordering.ts';
import { PASSWORD, type Party } from './world.ts';

export interface Row {
  readonly call: Call<unknown, unknown>;
  /** The body as it crosses the wire. */
  body(own: Party): Record<string, unknown>;
  /** Fields that name something a customer owns. */
  readonly ownedIds: readonly ('addressid' | 'orderid')[];
}

function row<Body>(call: Call<Body, unknown>, body: (own: Party) => Body, ...ownedIds: Row['ownedIds']): Row {
  return { call, body: (own) => JSON.parse(writeBody(call, body(own))) as Record<string, unknown>, ownedIds };
}

export const rows: readonly Row[] = [
  row(challenge, () => ({})),
  row(sendCode, ({ mobile }) => ({ mobile, purpose: 'reset', challenge: '' })),
  row(confirmCode, ({ mobile }) => ({ mobile, purpose: 'reset', code: '000000' })),
  row(signUp, ({ mobile }) => ({ name: 'Meera', mobile, password: PASSWORD })),
  row(login, ({ mobile }) => ({ mobile, password: PASSWORD })),
  row(logout, () => ({})),
  row(lookUp, ({ mobile }) => ({ query: lookUpQueries.mobileAndUserid(mobile) })),
  row(giveReferralBonus, ({ mobile }) => ({ mob: '9000000001', newuser: mobile })),
  row(getUserDetails, ({ userid }) => ({ token: userid })),
  row(programsAndReviews, () => ({})),
  row(reportError, () => ({ error: JSON.stringify({ message: 'A test', stack: '', context: {} }) })),
  row(addAddress, ({ userid }) => ({ ...home, userid })),
  row(getAddresses, ({ userid }) => ({ userid })),
  row(getAddress, ({ userid, addressid }) => ({ userid, addressid }), 'addressid'),
  row(editAddress, ({ userid, addressid }) => ({ ...home, name: 'Meera and Arun', userid, addressid }), 'addressid'),
  row(deleteAddress, ({ userid, addressid }) => ({ userid, addressid }), 'addressid'),
  row(addOrder, ({ order }) => order, 'addressid'),
  row(getOrders, ({ userid }) => ({ userid })),
  row(getMoreOrders, ({ userid }) => ({ userid, offset: 0 })),
  row(getOrder, ({ userid, orderid }) => ({ userid, orderid }), 'orderid'),
  row(getTransactions, ({ userid }) => ({ userid })),
  row(getMoreTransactions, ({ userid }) => ({ userid, offset: 0 })),
];
