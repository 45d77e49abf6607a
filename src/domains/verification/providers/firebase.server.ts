/**
 * Firebase's phone sign-in, by the REST API of its identity service. It makes the code, sends it and checks it; the browser brings nothing but the token
 * of its reCAPTCHA, and never talks to Firebase. A message of it is asked for once: whether a lost answer means a sent message nobody can know.
 */
import { requestJson, type JsonResponse } from '../../../lib/http-client.server.ts';
import { NotChecked, NotSent, ProofRefused, type CodeProvider } from '../provider.server.ts';
import type { ReadToken } from './firebase-tokens.server.ts';

export interface FirebaseOptions {
  apiKey: string;
  url: string;
  readToken: ReadToken;
  startWithinMs: number;
  checkWithinMs: number;
}

/** What it says of a reCAPTCHA token that is missing, used, expired or another site's. */
const PROOF_REFUSALS = new Set(['CAPTCHA_CHECK_FAILED', 'INVALID_RECAPTCHA_TOKEN', 'MISSING_RECAPTCHA_TOKEN', 'INVALID_APP_CREDENTIAL']);

/** What it says of a code that is wrong, or typed too late or too often. */
const WRONG_CODES = new Set(['INVALID_CODE', 'MISSING_CODE', 'INVALID_SESSION_INFO', 'SESSION_EXPIRED', 'TOO_MANY_ATTEMPTS_TRY_LATER']);

export function firebaseCodes({ apiKey, url, readToken, startWithinMs, checkWithinMs }: FirebaseOptions): CodeProvider {
  const ask = (method: string, body: object, signal: AbortSignal) =>
    requestJson(`${url}/v1/accounts:${method}?key=${encodeURIComponent(apiKey)}`, { body, signal });

  return {
    start: async (mobile, proof, deadline) => {
      const phoneNumber = international(mobile);
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(startWithinMs)]);
      const answer = await ask('sendVerificationCode', { phoneNumber, recaptchaToken: proof }, signal).catch((cause: unknown) => {
        throw new NotSent('Firebase did not answer', { cause });
      });
      const { sessionInfo } = fields(answer);
      if (typeof sessionInfo === 'string') return { handle: `${phoneNumber} ${sessionInfo}` };
      const refusal = refusalOf(answer);
      throw PROOF_REFUSALS.has(refusal) ? new ProofRefused(refusal) : new NotSent(`Firebase answered ${answer.status} ${refusal}`);
    },

    check: async (handle, code) => {
      const [phoneNumber = '', sessionInfo = ''] = handle.split(' ');
      const answer = await ask('signInWithPhoneNumber', { sessionInfo, code }, AbortSignal.timeout(checkWithinMs)).catch(
        (cause: unknown) => {
          throw new NotChecked('Firebase did not answer', { cause });
        },
      );
      const { idToken } = fields(answer);
      if (typeof idToken === 'string') return (await readToken(idToken))?.phoneNumber === phoneNumber;
      const refusal = refusalOf(answer);
      if (WRONG_CODES.has(refusal)) return false;
      throw new NotChecked(`Firebase answered ${answer.status} ${refusal}`);
    },
  };
}

const international = (mobile: string) => `+91${mobile}`;

const fields = ({ status, json }: JsonResponse) => (status === 200 ? (json ?? {}) : {}) as { sessionInfo?: unknown; idToken?: unknown };

/** The word with which its error message starts ('CAPTCHA_CHECK_FAILED : Hostname match not found'); the rest may quote what was sent. */
function refusalOf({ json }: JsonResponse): string {
  const { error } = (json ?? {}) as { error?: { message?: unknown } };
  const word = typeof error?.message === 'string' ? /^[A-Z_]+/.exec(error.message)?.[0] : undefined;
  return word ?? 'UNREADABLE';
}
