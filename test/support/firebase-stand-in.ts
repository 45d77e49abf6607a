/**
 * A stand-in for phone sign-in of Firebase's Identity Toolkit API and for the public keys of its
 * tokens.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { startStandIn, type StandInReply } from './stand-in.ts';

export const FIREBASE_PROJECT = 'dhulai-tests';
export const FIREBASE_KEY = 'public key of the tests';

export interface TokenFaults {
  claims?: JWTPayload;
  /** 'none': unsigned, like the emulator's tokens. 'other': signed with another key. */
  signed?: 'none' | 'other';
  expiresAt?: Date;
}

export async function startFirebase(now: () => Date) {
  const [own, other] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')]);
  const jwks = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'tests', alg: 'RS256', use: 'sig' }] };
  /** The messages that phones have received. */
  const phones: { phoneNumber: string; code: string; session: string }[] = [];
  const usedTokens = new Set<string>();
  let override: StandInReply | undefined;
  let keysOverride: StandInReply | undefined;
  let faults: TokenFaults = {};

  const refuse = (message: string): StandInReply => ({ status: 400, json: { error: { code: 400, message } } });

  async function idToken(phoneNumber: string): Promise<string> {
    const claims = {
      phone_number: phoneNumber,
      firebase: { sign_in_provider: 'phone', identities: { phone: [phoneNumber] } },
      ...faults.claims,
    };
    const jwt =
      faults.signed === 'none' ? new UnsecuredJWT(claims) : new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'tests' });
    const issuedAt = now();
    jwt
      .setIssuer(claims.iss ?? `https://securetoken.google.com/${FIREBASE_PROJECT}`)
      .setAudience(claims.aud ?? FIREBASE_PROJECT)
      .setSubject('uid of the tests')
      .setIssuedAt(issuedAt)
      .setExpirationTime(faults.expiresAt ?? new Date(issuedAt.getTime() + 3_600_000));
    return jwt instanceof UnsecuredJWT ? jwt.encode() : jwt.sign((faults.signed === 'other' ? other : own).privateKey);
  }

  const methods: Record<string, (body: Record<string, string>) => StandInReply | Promise<StandInReply>> = {
    sendVerificationCode({ phoneNumber = '', recaptchaToken = '' }) {
      if (!recaptchaToken.startsWith('genuine') || usedTokens.has(recaptchaToken))
        return refuse('CAPTCHA_CHECK_FAILED : Recaptcha verification failed');
      usedTokens.add(recaptchaToken);
      const session = randomBytes(48).toString('base64url');
      phones.push({ phoneNumber, code: String(randomInt(1e6)).padStart(6, '0'), session });
      return override ?? { status: 200, json: { sessionInfo: session } };
    },
    async signInWithPhoneNumber({ sessionInfo, code }) {
      if (override) return override;
      const sent = phones.find(({ session }) => session === sessionInfo);
      if (!sent) return refuse('INVALID_SESSION_INFO');
      if (sent.code !== code) return refuse('INVALID_CODE');
      return { status: 200, json: { idToken: await idToken(sent.phoneNumber), phoneNumber: sent.phoneNumber } };
    },
  };

  const standIn = await startStandIn(({ path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://stand-in');
    if (pathname === '/keys') return keysOverride ?? { status: 200, json: jwks };
    const method = methods[pathname.replace(/^.*\/v1\/accounts:/, '')];
    if (!method || searchParams.get('key') !== FIREBASE_KEY) return refuse('API_KEY_INVALID');
    return method(body as Record<string, string>);
  });

  return {
    ...standIn,
    phones,
    /** Returns a valid reCAPTCHA token. */
    recaptchaToken: () => `genuine ${randomBytes(16).toString('base64url')}`,
    behave(next?: StandInReply, { keys }: { keys?: StandInReply } = {}) {
      override = next;
      keysOverride = keys;
    },
    issue(tokens: TokenFaults) {
      faults = tokens;
    },
  };
}
