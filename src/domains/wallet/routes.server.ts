import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { FIRST_PAGE_LIMIT, getMoreTransactions, getTransactions, TRANSACTIONS_PER_PAGE, walletError, walletMessages } from './contract.ts';
import { listTransactions } from './service.server.ts';

export function walletRoutes(registerRoute: RegisterRoute, { db, authentication }: { db: Db; authentication: Authentication }) {
  registerRoute(getTransactions, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    return succeed(walletMessages.fetched, await listTransactions(db, customer, { offset: 0, limit: FIRST_PAGE_LIMIT }));
  });

  registerRoute(getMoreTransactions, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    const transactions = await listTransactions(db, customer, { offset: request.body.offset, limit: TRANSACTIONS_PER_PAGE });
    return transactions.length > 0 ? succeed(walletMessages.fetched, transactions) : fail(walletError('out-of-transactions'));
  });
}
