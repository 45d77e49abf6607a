/**
 * The interface of a provider that creates and checks codes. The local one creates codes that the
 * program sends by text message. A hosted phone sign-in creates, sends and checks them itself.
 */
import { randomInt } from 'node:crypto';
import { isEqualHash, keyedHash, newToken } from '../../security/tokens.server.ts';
import { CODE_LENGTH } from './contract.ts';

/** The time to check a code at a hosted provider. */
export const CHECK_CODE_TIMEOUT_MS = 8000;

export interface StartedCode {
  /** The argument of `check`. It is stored, so it must not reveal the code. */
  handle: string;
  /** The code, if the program sends it. Undefined if the provider has sent it. */
  code?: string;
}

export interface CodeProvider {
  /**
   * Called once for each send, after all rate limits, and never retried. `proof` is the browser's
   * token of the bot check, which hosted providers verify. Throws CodeNotSent or ProofRejected.
   */
  start(mobile: string, proof: string, deadline: AbortSignal): Promise<StartedCode>;
  /**
   * Called once for each attempt, after the attempt was counted. Throws CodeNotChecked if the
   * provider fails.
   */
  check(handle: string, code: string): Promise<boolean>;
}

/** No code was sent, or it is unknown whether one was sent. The customer sees the same error. */
export class CodeNotSent extends Error {
  override name = 'CodeNotSent';
}

/** The provider verified the proof of the bot check and rejected it. No code was sent. */
export class ProofRejected extends Error {
  override name = 'ProofRejected';
}

/** The provider did not return whether the code is correct. */
export class CodeNotChecked extends Error {
  override name = 'CodeNotChecked';
}

/**
 * Six random digits. The handle is a salt and a hash keyed with the program's secret, so the
 * database alone is not enough to search for the code.
 */
export function localCodes(secret: string): CodeProvider {
  const hash = keyedHash(secret, 'code');
  return {
    start: async () => {
      const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
      const salt = newToken();
      return { code, handle: `${salt}.${hash(salt + code).toString('base64url')}` };
    },
    check: async (handle, code) => {
      const [salt = '', expected = ''] = handle.split('.');
      return isEqualHash(hash(salt + code), Buffer.from(expected, 'base64url'));
    },
  };
}
