import { succeed, type Answer } from '../../contract/route.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { accountMessages, login, logout, lookUp, signUp } from './contract.ts';
import * as service from './service.server.ts';

export function accountRoutes(answer: Answer, { browsers, ...parts }: service.AccountParts & { browsers: Browsers }) {
  answer(signUp, async (request) => service.signUp(parts, browsers.of(request), request.body));

  answer(login, async (request, reply) => service.logIn(parts, request, reply, request.body));

  answer(logout, async (request, reply) => {
    await parts.gate.close(request, reply, { everywhere: request.body.everywhere ?? false });
    return succeed(accountMessages.loggedOut, null);
  });

  answer(lookUp, async (request) => service.lookUp(parts, request, request.body.query));
}
