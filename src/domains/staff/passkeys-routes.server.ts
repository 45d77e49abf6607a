import type { RegisterRoute } from '../../contract/route.server.ts';
import { addPasskey, passkeyLogin, passkeyOptions } from './desk/contract.ts';
import * as service from './passkeys-service.server.ts';

export function passkeyRoutes(registerRoute: RegisterRoute, dependencies: service.PasskeyDependencies) {
  registerRoute(passkeyOptions, async (request, reply) => service.createPasskeyChallenge(dependencies, request, reply));

  registerRoute(passkeyLogin, async (request, reply) => service.logInWithPasskey(dependencies, request, reply, request.body.credential));

  registerRoute(addPasskey, async (request, reply) => service.addPasskey(dependencies, request, reply, request.body.credential));
}
