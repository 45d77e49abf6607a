import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../../web/answer.server.ts';
import { confirmCode, sendCode } from './contract.ts';
import type { Browser, Browsers } from './gate.server.ts';
import * as service from './service.server.ts';

interface VerificationRoutesOptions extends service.VerificationParts {
  browsers: Browsers;
  /** A guest has no account to log in to: the confirmed code itself opens his session. */
  onGuestProved(request: FastifyRequest, reply: FastifyReply, proved: { browser: Browser; mobile: string }): Promise<void>;
}

export function verificationRoutes(answer: Answer, { browsers, onGuestProved, ...parts }: VerificationRoutesOptions) {
  answer(sendCode, async (request, reply) => {
    const { mobile, purpose, challenge } = request.body;
    return service.sendCode(parts, { browser: browsers.ensure(request, reply), mobile, purpose, proof: challenge, request });
  });

  answer(confirmCode, async (request, reply) => {
    const browser = browsers.of(request);
    const { mobile, purpose } = request.body;
    const confirmed = await service.confirmCode(parts, { browser, ...request.body });
    if (confirmed.response === 'success' && purpose === 'guest' && browser) await onGuestProved(request, reply, { browser, mobile });
    return confirmed;
  });
}
