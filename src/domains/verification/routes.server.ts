import { english } from '../../i18n/language.tsx';
import { respond, type RegisterRoute } from '../../contract/route.server.ts';
import { confirmCode, sendCode, verificationMessages as messages } from './contract.ts';
import type { Browsers } from './authentication.server.ts';
import * as confirming from './confirming-service.server.ts';
import * as service from './service.server.ts';

export function verificationRoutes(
  registerRoute: RegisterRoute,
  { browsers, ...dependencies }: service.VerificationDependencies & { browsers: Browsers },
) {
  registerRoute(sendCode, async (request, reply) => {
    const { mobile, purpose, challenge } = request.body;
    const browser = browsers.ensure(request, reply);
    const outcome = await service.sendCode(dependencies, { browser, mobile, purpose, proof: challenge, client: request });
    return respond(english.t(messages.sent, { mobile }), outcome);
  });

  registerRoute(confirmCode, async (request, reply) =>
    respond(
      messages.confirmed,
      await confirming.confirmCode(dependencies, {
        browser: browsers.find(request),
        ...request.body,
        client: request,
        cookies: reply,
      }),
    ),
  );
}
