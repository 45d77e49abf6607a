/** Turnstile's siteverify: knows the tokens it gave out, and takes each once. */
import { randomBytes } from 'node:crypto';
import { startStandIn, type StandInReply } from './stand-in.ts';

export const TURNSTILE_TEST_SECRET = 'secret of the tests';

export async function startTurnstile() {
  const given = new Map<string, { hostname: string; action: string }>();
  let mood: StandInReply | undefined;
  let forgetful = false;

  const standIn = await startStandIn(({ body }) => {
    if (mood) return mood;
    const { secret, response } = body as { secret: string; response: string };
    if (secret !== TURNSTILE_TEST_SECRET) return refuse('invalid-input-secret');
    const token = given.get(response);
    if (!token) return refuse('timeout-or-duplicate');
    if (!forgetful) given.delete(response);
    return { status: 200, json: { success: true, 'error-codes': [], challenge_ts: '2026-11-21T05:00:00.000Z', ...token } };
  });
  const refuse = (code: string): StandInReply => ({ status: 200, json: { success: false, 'error-codes': [code] } });

  return {
    ...standIn,
    /** A token as the widget of a page would get it. */
    give(hostname: string, action: string): string {
      const token = randomBytes(24).toString('base64url');
      given.set(token, { hostname, action });
      return token;
    },
    behave(next?: StandInReply) {
      mood = next;
    },
    /** Takes tokens any number of times. */
    forget(tokens: boolean) {
      forgetful = tokens;
    },
  };
}
