import type { RegisterRoute } from '../../contract/route.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { login, logout, lookUp, signUp } from './contract.ts';
import * as service from './service.server.ts';

export function accountRoutes(registerRoute: RegisterRoute, dependencies: service.AccountDependencies & { browsers: Browsers }) {
  registerRoute(signUp, async (request) => service.signUp(dependencies, request, dependencies.browsers.find(request), request.body));

  registerRoute(login, async (request, reply) => service.logIn(dependencies, request, reply, request.body));

  registerRoute(logout, async (request, reply) => {
    const { everywhere, forget_device: forgetDevice } = request.body;
    return service.logOut(dependencies, request, reply, { everywhere, forgetDevice });
  });

  registerRoute(lookUp, async (request) => service.lookUp(dependencies, request, request.body.query));
}
