import type { FastifyInstance } from 'fastify';
import { asPaise } from '../../lib/money.ts';
import { respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { concurrencyLimitByKey } from '../../security/concurrency-limit.server.ts';
import { links } from '../../shared/links.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { checkOwnDeletion, deleteOwnAccount, type PrivacyDependencies } from './account-service.server.ts';
import { checkDeletion, DATA_COPY_PATH, deleteAccount, privacyMessages as messages } from './contract.ts';
import { createDataCopies, type DataCopyDependencies } from './copy-service.server.ts';

/** Each of these calls reads every order of the customer. One customer must not use the pool. */
const CALLS_OF_CUSTOMER = { concurrent: 1, queued: 2 } as const;

export function privacyRoutes(registerRoute: RegisterRoute, dependencies: PrivacyDependencies) {
  const { authentication } = dependencies;
  const runLimitedByCustomer = concurrencyLimitByKey(CALLS_OF_CUSTOMER);

  registerRoute(checkDeletion, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    return succeed(messages.checked, await runLimitedByCustomer(customer.id, () => checkOwnDeletion(dependencies, request, customer)));
  });

  registerRoute(deleteAccount, async (request, reply) => {
    const { userid, gives_up: givesUpPaise = asPaise(0) } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const deletion = { customer, givesUpPaise };
    return respond(
      messages.deleted,
      await runLimitedByCustomer(customer.id, () => deleteOwnAccount(dependencies, request, reply, deletion)),
    );
  });
}

type FileDependencies = DataCopyDependencies & { authentication: Authentication };

/** Serves the copy of a customer's data, outside the calls: a browser saves it from a link. */
export function dataCopyRoutes(app: FastifyInstance, { authentication, ...dependencies }: FileDependencies) {
  const openDataCopy = createDataCopies(dependencies);
  app.get(DATA_COPY_PATH, async (request, reply) => {
    // A link on a page of another site must not use the code up.
    if (request.headers['sec-fetch-site'] === 'cross-site') return reply.redirect(links.dataCopy(), 303);
    const caller = await authentication.findCaller(request);
    const copy = caller?.kind === 'customer' ? await openDataCopy(request, caller) : undefined;
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    // The page asks for the log-in, and for a code.
    if (!copy) return reply.redirect(links.dataCopy(), 303);
    return reply.header('content-disposition', `attachment; filename="${copy.fileName}"`).type('application/zip').send(copy.content);
  });
}
