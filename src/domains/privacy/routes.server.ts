import { asPaise } from '../../lib/money.ts';
import type { RegisterRoute } from '../../contract/route.server.ts';
import { checkOwnDeletion, deleteOwnAccount, exportOwnData, type PrivacyDependencies } from './account-service.server.ts';
import { checkDeletion, deleteAccount, exportData } from './contract.ts';

export function privacyRoutes(registerRoute: RegisterRoute, dependencies: PrivacyDependencies) {
  const { authentication } = dependencies;

  registerRoute(exportData, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    return exportOwnData(dependencies, request, customer);
  });

  registerRoute(checkDeletion, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    return checkOwnDeletion(dependencies, customer);
  });

  registerRoute(deleteAccount, async (request, reply) => {
    const { userid, gives_up: givesUpPaise = asPaise(0) } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return deleteOwnAccount(dependencies, request, reply, { customer, givesUpPaise });
  });
}
