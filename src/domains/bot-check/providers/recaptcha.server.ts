/**
 * reCAPTCHA for Firebase's phone sign-in. Only Firebase can verify a token, when it sends a code
 * (verification/providers/firebase.server.ts). This provider requires a token and rejects a reused
 * one.
 */
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { hashToken } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import type { BotCheck } from '../provider.server.ts';
import { insertProof } from '../store.server.ts';

/** Longer than the two minutes for which Google accepts a token. */
const RETENTION_SECONDS = 5 * 60;

export const recaptcha = ({ db, clock }: { db: Db; clock: Clock }): BotCheck => ({
  kind: 'recaptcha',
  verifiesRemotely: false,
  challenge: async () => '',
  accepts: async (token) => token !== '' && insertProof(db, hashToken(token), addSeconds(clock.now(), RETENTION_SECONDS)),
});
