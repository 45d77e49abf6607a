import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { accountMessages, login, logout, lookUp, signUp } from './contract.ts';
import * as service from './service.server.ts';

export function accountRoutes(registerRoute: RegisterRoute, { browsers, ...parts }: service.AccountParts & { browsers: Browsers }) {
  registerRoute(signUp, async (request) => service.signUp(parts, browsers.find(request), request.body));

  registerRoute(login, async (request, reply) => service.logIn(parts, request, reply, request.body));

  registerRoute(logout, async (request, reply) => {
    await parts.authentication.endSession(request, reply, { everywhere: request.body.everywhere ?? false });
    return succeed(accountMessages.loggedOut, null);
  });

  registerRoute(lookUp, async (request) => service.lookUp(parts, request, request.body.query));
}
