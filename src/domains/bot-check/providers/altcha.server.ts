/**
 * Proof of work by the ALTCHA protocol. It is self-hosted, so no third party learns who requests a
 * code.
 */
import { createChallenge, randomInt, verifySolution, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { hashToken, keyedHash } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import type { BotCheck } from '../provider.server.ts';
import { insertProof } from '../store.server.ts';

const VALID_SECONDS = 5 * 60;

/**
 * About 125 keys of 2,000 PBKDF2 iterations: 100 ms on a laptop and 300 ms on a mid-range phone,
 * off the main thread. Checking costs the server one HMAC, because it signs the solution with the
 * challenge.
 */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 2000, minSteps: 50, maxSteps: 200 } as const;

interface AltchaOptions {
  db: Db;
  clock: Clock;
  secret: string;
}

export function altcha({ db, clock, secret }: AltchaOptions): BotCheck {
  const hmacSignatureSecret = keyedHash(secret, 'bot-check puzzle')('').toString('hex');
  const hmacKeySignatureSecret = keyedHash(secret, 'bot-check answer')('').toString('hex');

  return {
    kind: 'altcha',
    verifiesRemotely: false,
    challenge: async (difficulty) => {
      const expires = addSeconds(clock.now(), VALID_SECONDS).getTime();
      const signedChallenge = await createChallenge({
        algorithm: WORK.algorithm,
        cost: WORK.cost,
        // More keys, not a higher cost of one: the server derives one key for each challenge.
        counter: randomInt(WORK.maxSteps * difficulty, WORK.minSteps * difficulty),
        deriveKey,
        // Signed with the challenge. The library compares its own expiresAt with the system clock
        // instead of the program's.
        data: { expires, price: difficulty },
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      });
      return JSON.stringify(signedChallenge);
    },
    accepts: async (proof, minDifficulty) => {
      const payload = readPayload(proof);
      if (!payload) return false;
      const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret, hmacKeySignatureSecret });
      const { data } = payload.challenge.parameters;
      const expires = new Date(Number(data?.expires));
      if (!verified || !(expires > clock.now()) || !(Number(data?.price ?? 1) >= minDifficulty)) return false;
      return insertProof(db, hashToken(payload.challenge.parameters.nonce), expires);
    },
  };
}

/** Returns undefined for malformed JSON and for missing fields. */
function readPayload(proof: string): Payload | undefined {
  try {
    const { challenge, solution } = JSON.parse(proof) as Payload;
    const isWellFormed =
      typeof challenge.signature === 'string' && typeof challenge.parameters.nonce === 'string' && typeof solution === 'object';
    return isWellFormed ? { challenge, solution } : undefined;
  } catch {
    return undefined;
  }
}
