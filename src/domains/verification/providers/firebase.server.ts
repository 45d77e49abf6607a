/**
 * Firebase phone sign-in through the REST API of its identity service, which creates, sends and
 * checks the code. The browser passes a reCAPTCHA token and never connects to Firebase. A send is
 * not retried, because a message may have been sent although the response was lost.
 */
import { requestJson, type JsonResponse } from '../../../lib/http-client.server.ts';
import { CodeNotChecked, CodeNotSent, ProofRejected, type CodeProvider } from '../provider.server.ts';
import type { VerifyToken } from './firebase-tokens.server.ts';

export interface FirebaseOptions {
  apiKey: string;
  url: string;
  verifyToken: VerifyToken;
  startTimeoutMs: number;
  checkTimeoutMs: number;
}

/** Error codes for a reCAPTCHA token that is missing, used, expired or from another site. */
const PROOF_ERRORS = new Set(['CAPTCHA_CHECK_FAILED', 'INVALID_RECAPTCHA_TOKEN', 'MISSING_RECAPTCHA_TOKEN', 'INVALID_APP_CREDENTIAL']);

/** Error codes for a code that is wrong, expired or attempted too often. */
const CODE_ERRORS = new Set(['INVALID_CODE', 'MISSING_CODE', 'INVALID_SESSION_INFO', 'SESSION_EXPIRED', 'TOO_MANY_ATTEMPTS_TRY_LATER']);

export function firebaseCodes({ apiKey, url, verifyToken, startTimeoutMs, checkTimeoutMs }: FirebaseOptions): CodeProvider {
  const post = (method: string, body: object, signal: AbortSignal) =>
    requestJson(`${url}/v1/accounts:${method}?key=${encodeURIComponent(apiKey)}`, { body, signal });

  return {
    start: async (mobile, proof, deadline) => {
      const phoneNumber = international(mobile);
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(startTimeoutMs)]);
      const response = await post('sendVerificationCode', { phoneNumber, recaptchaToken: proof }, signal).catch((cause: unknown) => {
        throw new CodeNotSent('Firebase did not respond', { cause });
      });
      const { sessionInfo } = resultFields(response);
      if (typeof sessionInfo === 'string') return { handle: `${phoneNumber} ${sessionInfo}` };
      const errorCode = errorCodeOf(response);
      if (PROOF_ERRORS.has(errorCode)) throw new ProofRejected(errorCode);
      throw new CodeNotSent(`Firebase returned ${response.status} ${errorCode}`);
    },

    check: async (handle, code) => {
      const [phoneNumber = '', sessionInfo = ''] = handle.split(' ');
      const response = await post('signInWithPhoneNumber', { sessionInfo, code }, AbortSignal.timeout(checkTimeoutMs)).catch(
        (cause: unknown) => {
          throw new CodeNotChecked('Firebase did not respond', { cause });
        },
      );
      const { idToken } = resultFields(response);
      if (typeof idToken === 'string') return (await verifyToken(idToken))?.phoneNumber === phoneNumber;
      const errorCode = errorCodeOf(response);
      if (CODE_ERRORS.has(errorCode)) return false;
      throw new CodeNotChecked(`Firebase returned ${response.status} ${errorCode}`);
    },
  };
}

const international = (mobile: string) => `+91${mobile}`;

/** Returns an empty object for a failed response. */
const resultFields = ({ status, json }: JsonResponse) =>
  (status === 200 ? (json ?? {}) : {}) as { sessionInfo?: unknown; idToken?: unknown };

/**
 * Returns the code at the start of an error message ('CAPTCHA_CHECK_FAILED : Hostname match not
 * found'). The rest may repeat parts of the request, so it is not logged.
 */
function errorCodeOf({ json }: JsonResponse): string {
  const { error } = (json ?? {}) as { error?: { message?: unknown } };
  const code = typeof error?.message === 'string' ? /^[A-Z_]+/.exec(error.message)?.[0] : undefined;
  return code ?? 'UNREADABLE';
}
