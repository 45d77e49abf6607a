import { respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { consentOf } from '../consents/service.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { accountMessages as messages, login, logout, lookUp, signUp } from './contract.ts';
import { limitNewPasswords } from './password-service.server.ts';
import * as service from './service.server.ts';

export function accountRoutes(registerRoute: RegisterRoute, dependencies: service.AccountDependencies & { browsers: Browsers }) {
  registerRoute(signUp, async (request) => {
    const fields = { ...request.body, consent: consentOf('account', request.body.consent) };
    const browser = dependencies.browsers.find(request);
    const create = () => service.signUp(dependencies, request, browser, fields);
    return respond(messages.accountCreated, await limitNewPasswords(dependencies, browser, create));
  });

  registerRoute(login, async (request, reply) =>
    respond(messages.loggedIn, await service.logIn(dependencies, request, reply, request.body)),
  );

  registerRoute(logout, async (request, reply) => {
    const { everywhere, forget_device: forgetDevice } = request.body;
    await service.logOut(dependencies, request, reply, { everywhere, forgetDevice });
    return succeed(forgetDevice ? messages.deviceForgotten : messages.loggedOut, null);
  });

  registerRoute(lookUp, async (request) => respond(messages.userFound, await service.lookUp(dependencies, request, request.body.query)));
}
