/** The port to whoever tells browsers from bots, with its development stand-in, which tells nobody. */
import type { BotCheckKind } from './contract.ts';

export interface BotCheck {
  readonly kind: BotCheckKind;
  /** The puzzle, as text for the solver in the browser; empty where the browser gets it elsewhere. */
  challenge(): Promise<string>;
  /** Whether the text proves a browser, for the first time. Anything unreadable proves nothing, and so does what could not be checked in time. */
  accepts(proof: string): Promise<boolean>;
}

export const noBotCheck: BotCheck = { kind: 'off', challenge: async () => '', accepts: async () => true };
