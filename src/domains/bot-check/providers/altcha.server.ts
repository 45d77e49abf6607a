/** Our own proof of work (the ALTCHA protocol), served from here: no third party learns who asks for a code. */
import { createChallenge, randomInt, verifySolution, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { hashToken, keyedHash } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import type { BotCheck } from '../provider.server.ts';
import { rememberProof } from '../store.server.ts';

const GOOD_FOR_SECONDS = 5 * 60;

/**
 * 2,000 rounds of PBKDF2 about 125 times over: some 100 ms on a laptop, 300 ms on a mid-range phone, off the page's main thread. Checking costs the server
 * one HMAC, because the answer is known (and signed) when the puzzle is made.
 */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 2000, fewestSteps: 50, mostSteps: 200 } as const;

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
    challenge: async () => {
      const expires = addSeconds(clock.now(), GOOD_FOR_SECONDS).getTime();
      const puzzle = await createChallenge({
        algorithm: WORK.algorithm,
        cost: WORK.cost,
        counter: randomInt(WORK.mostSteps, WORK.fewestSteps),
        deriveKey,
        // Signed with the rest. Not the library's own expiresAt: that is compared with the machine's clock instead of the program's.
        data: { expires },
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      });
      return JSON.stringify(puzzle);
    },
    accepts: async (proof) => {
      const payload = readPayload(proof);
      if (!payload) return false;
      const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret, hmacKeySignatureSecret });
      const expires = new Date(Number(payload.challenge.parameters.data?.expires));
      if (!verified || !(expires > clock.now())) return false;
      return rememberProof(db, hashToken(payload.challenge.parameters.nonce), expires);
    },
  };
}

function readPayload(proof: string): Payload | undefined {
  try {
    const { challenge, solution } = JSON.parse(proof) as Payload;
    const readable =
      typeof challenge.signature === 'string' && typeof challenge.parameters.nonce === 'string' && typeof solution === 'object';
    return readable ? { challenge, solution } : undefined;
  } catch {
    return undefined;
  }
}
