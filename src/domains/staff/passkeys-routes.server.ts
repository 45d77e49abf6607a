import { respond, type RegisterRoute } from '../../contract/route.server.ts';
import { addPasskey, passkeyLogin, passkeyOptions, staffMessages as messages } from './desk/contract.ts';
import * as service from './passkeys-service.server.ts';

export function passkeyRoutes(registerRoute: RegisterRoute, dependencies: service.PasskeyDependencies) {
  registerRoute(passkeyOptions, async (request, reply) =>
    respond(messages.found, await service.createPasskeyChallenge(dependencies, request, reply)),
  );

  registerRoute(passkeyLogin, async (request, reply) =>
    respond(messages.loggedIn, await service.logInWithPasskey(dependencies, request, reply, request.body.credential)),
  );

  registerRoute(addPasskey, async (request, reply) =>
    respond(messages.loggedIn, await service.addPasskey(dependencies, request, reply, request.body.credential)),
  );
}
