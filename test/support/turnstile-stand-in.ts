/** A stand-in for Turnstile's siteverify, which accepts each issued token once. */
import { randomBytes } from 'node:crypto';
import { startStandIn, type StandInReply } from './stand-in.ts';

export const TURNSTILE_TEST_SECRET = 'secret of the tests';

export async function startTurnstile() {
  const issued = new Map<string, { hostname: string; action: string }>();
  let override: StandInReply | Promise<StandInReply> | undefined;
  let forgetful = false;

  const standIn = await startStandIn(({ body }) => {
    if (override) return override;
    const { secret, response } = body as { secret: string; response: string };
    if (secret !== TURNSTILE_TEST_SECRET) return refuse('invalid-input-secret');
    const token = issued.get(response);
    if (!token) return refuse('timeout-or-duplicate');
    if (!forgetful) issued.delete(response);
    return { status: 200, json: { success: true, 'error-codes': [], challenge_ts: '2026-11-21T05:00:00.000Z', ...token } };
  });
  const refuse = (code: string): StandInReply => ({ status: 200, json: { success: false, 'error-codes': [code] } });

  return {
    ...standIn,
    /** Issues a token like the widget of a page. */
    issueToken(hostname: string, action: string): string {
      const token = randomBytes(24).toString('base64url');
      issued.set(token, { hostname, action });
      return token;
    },
    behave(next?: StandInReply | Promise<StandInReply>) {
      override = next;
    },
    /** Sets whether a token is accepted more than once. */
    forget(tokens: boolean) {
      forgetful = tokens;
    },
  };
}
