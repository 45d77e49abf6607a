/** Reading Firebase's ID tokens: who signed them, for which project, until when, and whose number they prove. */
import { createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT, type JWTPayload } from 'jose';
import type { Clock } from '../../../lib/clock.ts';
import { NotChecked } from '../provider.server.ts';

/** Undefined for a token that proves nothing. Throws NotChecked if the keys cannot be had. */
export type ReadToken = (token: string) => Promise<{ phoneNumber: string } | undefined>;

interface Expected {
  projectId: string;
  clock: Clock;
}

const claimsOf = ({ projectId, clock }: Expected) => ({
  issuer: `https://securetoken.google.com/${projectId}`,
  audience: projectId,
  requiredClaims: ['sub', 'exp', 'iat'],
  currentDate: clock.now(),
});

export function signedTokens({ keysUrl, timeoutMs, ...expected }: Expected & { keysUrl: string; timeoutMs: number }): ReadToken {
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: timeoutMs });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, { ...claimsOf(expected), algorithms: ['RS256'] });
      return provedNumber(payload);
    } catch (error) {
      if (isWrong(error)) return undefined;
      throw new NotChecked("Firebase's keys could not be had", { cause: error });
    }
  };
}

/** The emulator signs nothing. Settings allow it in demonstrations only. */
export const unsignedTokens =
  (expected: Expected): ReadToken =>
  async (token) => {
    try {
      return provedNumber(UnsecuredJWT.decode(token, claimsOf(expected)).payload);
    } catch (error) {
      if (isWrong(error)) return undefined;
      throw error;
    }
  };

function provedNumber(payload: JWTPayload): { phoneNumber: string } | undefined {
  const { phone_number: phoneNumber, firebase } = payload as { phone_number?: unknown; firebase?: { sign_in_provider?: unknown } };
  return typeof phoneNumber === 'string' && firebase?.sign_in_provider === 'phone' ? { phoneNumber } : undefined;
}

/** The token's own fault, not that of fetching the keys. */
const isWrong = (error: unknown) =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC');
