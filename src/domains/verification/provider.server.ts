/** The port to whoever makes codes and checks them. Ours makes them itself and sends them by text message; a hosted phone sign-in does both on its side. */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { keyedHash, newToken } from '../../security/tokens.server.ts';
import { CODE_LENGTH } from './contract.ts';

export interface StartedCode {
  /** What `check` needs later. It is stored, so it must not give the code away. */
  handle: string;
  /** The code, where we are the ones to send it; a hosted provider has sent it already. */
  code?: string;
}

export interface CodeProvider {
  /**
   * Called once, after all limits have passed, and never again for the same send. `proof` is what the browser brought from the bot check; hosted
   * providers want to see it. Throws NotSent or ProofRefused.
   */
  start(mobile: string, proof: string, deadline: AbortSignal): Promise<StartedCode>;
  /** Called once per try, after the try was taken. Throws NotChecked if nobody could say. */
  check(handle: string, code: string): Promise<boolean>;
}

/** No code went out, or nobody knows whether one did: to the customer it is the same. */
export class NotSent extends Error {
  override name = 'NotSent';
}

/** The provider itself judges the bot check's proof, and found it wanting. Nothing was sent. */
export class ProofRefused extends Error {
  override name = 'ProofRefused';
}

/** The provider did not say whether the code is right. */
export class NotChecked extends Error {
  override name = 'NotChecked';
}

/** Six random digits. The handle is a salt and a hash keyed with the program's secret: who only reads the database cannot search for the code. */
export function ownCodes(secret: string): CodeProvider {
  const hash = keyedHash(secret, 'code');
  return {
    start: async () => {
      const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
      const salt = newToken();
      return { code, handle: `${salt}.${hash(salt + code).toString('base64url')}` };
    },
    check: async (handle, code) => {
      const [salt = '', expected = ''] = handle.split('.');
      return timingSafeEqual(hash(salt + code), Buffer.from(expected, 'base64url'));
    },
  };
}
