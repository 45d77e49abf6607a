/**
 * reCAPTCHA as Firebase's phone sign-in has it. Only Firebase can say whether a token is genuine, and does so when it is asked to send a code
 * (verification/providers/firebase.server.ts); here a token must be one and come for the first time.
 */
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { hashToken } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import type { BotCheck } from '../provider.server.ts';
import { rememberProof } from '../store.server.ts';

/** Google forgets a token after two minutes; we remember it a little longer. */
const REMEMBERED_SECONDS = 5 * 60;

export const recaptcha = ({ db, clock }: { db: Db; clock: Clock }): BotCheck => ({
  kind: 'recaptcha',
  challenge: async () => '',
  accepts: async (token) => token !== '' && rememberProof(db, hashToken(token), addSeconds(clock.now(), REMEMBERED_SECONDS)),
});
