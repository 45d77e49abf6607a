import type { RegisterRoute } from '../../contract/route.server.ts';
import { confirmCode, sendCode } from './contract.ts';
import type { Browsers } from './authentication.server.ts';
import * as service from './service.server.ts';

export function verificationRoutes(
  registerRoute: RegisterRoute,
  { browsers, ...parts }: service.VerificationParts & { browsers: Browsers },
) {
  registerRoute(sendCode, async (request, reply) => {
    const { mobile, purpose, challenge } = request.body;
    return service.sendCode(parts, { browser: browsers.ensure(request, reply), mobile, purpose, proof: challenge, request });
  });

  registerRoute(confirmCode, async (request, reply) =>
    service.confirmCode(parts, { browser: browsers.find(request), ...request.body, request, reply }),
  );
}
