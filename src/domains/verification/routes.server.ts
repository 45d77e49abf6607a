import type { RegisterRoute } from '../../contract/route.server.ts';
import { confirmCode, sendCode } from './contract.ts';
import type { Browsers } from './authentication.server.ts';
import * as service from './service.server.ts';

export function verificationRoutes(
  registerRoute: RegisterRoute,
  { browsers, ...dependencies }: service.VerificationDependencies & { browsers: Browsers },
) {
  registerRoute(sendCode, async (request, reply) => {
    const { mobile, purpose, challenge } = request.body;
    return service.sendCode(dependencies, { browser: browsers.ensure(request, reply), mobile, purpose, proof: challenge, request });
  });

  registerRoute(confirmCode, async (request, reply) =>
    service.confirmCode(dependencies, { browser: browsers.find(request), ...request.body, request, reply }),
  );
}
