/** The interface of bot checks, and a bot check for development that accepts every proof. */
import type { BotCheckKind } from './contract.ts';

/** The time to verify a proof at a hosted bot check. */
export const BOT_CHECK_TIMEOUT_MS = 3000;

export interface BotCheck {
  readonly kind: BotCheckKind;
  /** Whether `accepts` sends a request to a third party. */
  readonly verifiesRemotely: boolean;
  /**
   * Returns a challenge for the solver in the browser, or '' if the browser gets it from a third
   * party. `difficulty` multiplies the work of our own challenges.
   */
  challenge(difficulty: number): Promise<string>;
  /**
   * Returns true once for a valid proof. Returns false for malformed and reused proofs, for our own
   * challenges of a difficulty below `minDifficulty`, and if checking times out.
   */
  accepts(proof: string, minDifficulty: number): Promise<boolean>;
}

export const noBotCheck: BotCheck = { kind: 'off', verifiesRemotely: false, challenge: async () => '', accepts: async () => true };
