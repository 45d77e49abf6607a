import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type Answer } from '../../contract/route.server.ts';
import type { Gate } from '../sessions/authentication.server.ts';
import { FIRST_PAGE_LIMIT, getMoreTransactions, getTransactions, TRANSACTIONS_PER_PAGE, walletMessages } from './contract.ts';
import { listTransactions } from './service.server.ts';

export function walletRoutes(answer: Answer, { db, gate }: { db: Db; gate: Gate }) {
  answer(getTransactions, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    return succeed(walletMessages.fetched, await listTransactions(db, customer, { offset: 0, limit: FIRST_PAGE_LIMIT }));
  });

  answer(getMoreTransactions, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    const transactions = await listTransactions(db, customer, { offset: request.body.offset, limit: TRANSACTIONS_PER_PAGE });
    return transactions.length > 0 ? succeed(walletMessages.fetched, transactions) : fail(walletMessages.outOfTransactions);
  });
}
