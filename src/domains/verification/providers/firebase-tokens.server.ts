/** Verifies Firebase ID tokens: signature, project, expiry and phone number. */
import { createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT, type JWTPayload } from 'jose';
import type { Clock } from '../../../lib/clock.ts';
import { CodeNotChecked } from '../provider.server.ts';

/**
 * Returns undefined for an invalid token. Throws CodeNotChecked if the public keys cannot be
 * loaded.
 */
export type VerifyToken = (token: string) => Promise<{ phoneNumber: string } | undefined>;

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

/**
 * Returns a function that verifies a token with Firebase's public keys. It returns undefined for an
 * invalid token, and throws `CodeNotChecked` if the keys cannot be loaded.
 */
export function signedTokens({ keysUrl, timeoutMs, ...expected }: Expected & { keysUrl: string; timeoutMs: number }): VerifyToken {
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: timeoutMs });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, { ...claimsOf(expected), algorithms: ['RS256'] });
      return verifiedNumber(payload);
    } catch (error) {
      if (isInvalidToken(error)) return undefined;
      throw new CodeNotChecked('The public keys of Firebase could not be loaded', { cause: error });
    }
  };
}

/**
 * Returns a function that verifies the claims of a token, but not its signature, for the emulator,
 * which does not sign its tokens. It returns undefined for an invalid token. The settings allow it
 * in demonstrations only.
 */
export const unsignedTokens =
  (expected: Expected): VerifyToken =>
  async (token) => {
    try {
      return verifiedNumber(UnsecuredJWT.decode(token, claimsOf(expected)).payload);
    } catch (error) {
      if (isInvalidToken(error)) return undefined;
      throw error;
    }
  };

/** Returns undefined for the token of another sign-in than by phone. */
function verifiedNumber(payload: JWTPayload): { phoneNumber: string } | undefined {
  const { phone_number: phoneNumber, firebase } = payload as { phone_number?: unknown; firebase?: { sign_in_provider?: unknown } };
  return typeof phoneNumber === 'string' && firebase?.sign_in_provider === 'phone' ? { phoneNumber } : undefined;
}

/** Returns true if the token caused the error, and false for an error of loading the keys. */
const isInvalidToken = (error: unknown) =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC');
