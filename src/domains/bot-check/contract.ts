/** The proof that a browser spent work before a message costs money. Design section 5; the protocol is ALTCHA's proof of work. */
import * as z from 'zod/mini';
import { defineCall } from '../../web/call.ts';

export const botCheckMessages = {
  /** Specification section 8, "Bot check error or expiry"; {email} is the brand's. */
  failed: (email: string) => `This is a development error, complaint it at ${email} or restart the app`,
  /** The same on the verification screen. */
  failedOnVerification: 'Please refresh the page and try again',
} as const;

export const challenge = defineCall({
  method: 'POST',
  path: 'verification/challenge',
  summary: 'A puzzle to solve before a code is sent. Good once, for a few minutes.',
  caller: 'anyone',
  body: z.object({}),
  /** `challenge` is the puzzle as the solver takes it, as JSON text; with the check off it is empty. */
  data: z.object({ kind: z.enum(['altcha', 'off']), challenge: z.string() }),
});
