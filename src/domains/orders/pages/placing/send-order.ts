/**
 * Placing an order from the browser: once, however often the page mounts, and the same order again when the answer was lost. Design section 6, "Placing on
 * load".
 */
import { msg, type ErrorMessage } from '../../../../i18n/messages.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import { showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { CallRefused, ConnectionLost } from '../../../../contract/call-failures.ts';
import { fetchSend, type Send } from '../../../../browser/client.ts';
import { track } from '../../../analytics/pages/track.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { addOrder, orderMessages, type PlacedOrder, type PlacingCode } from '../../contract.ts';
import { currentDraft, restoreDraft } from '../draft/draft.ts';
import { orderRequest } from './order-request.ts';
import { forgetUnplaced, keepUnplaced, type Attempt } from './unplaced.ts';

export type Outcome =
  | { status: 'placed'; order: PlacedOrder }
  /** What the customer saw is not what it costs or when it is fetched any more. */
  | { status: 'stale'; error: ErrorMessage }
  /** `error` is null when it is unknown whether the order arrived. */
  | { status: 'failed'; error: ErrorMessage | null };

/** Errors that fresh figures resolve: the customer sees those and confirms again. */
const STALE: ReadonlySet<PlacingCode> = new Set(['rates-changed', 'offer-changed', 'unknown-timeslot', 'pickup-moved']);

/** Waits between the tries of one attempt: half a minute in all, after which the customer is told. */
const RETRY_AFTER_MS = [1000, 2000, 4000, 8000, 15_000] as const;

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Whether sending the same again may help; the key makes it harmless. */
const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof CallRefused && (error.status >= 500 || error.status === 429));

export async function sendOrder(attempt: Attempt, send: Send, pause: (ms: number) => Promise<void> = wait): Promise<Outcome> {
  const body = orderRequest(attempt);
  if (!body) return { status: 'failed', error: null };
  for (const retryAfterMs of [...RETRY_AFTER_MS, null]) {
    try {
      const answer = await send(addOrder, body, { idempotencyKey: attempt.draft.key });
      if (answer.response === 'success') return { status: 'placed', order: answer.data };
      return STALE.has(answer.code)
        ? { status: 'stale', error: toErrorMessage(answer) }
        : { status: 'failed', error: toErrorMessage(answer) };
    } catch (error) {
      if (!mayPass(error)) return failed(error);
      if (retryAfterMs !== null) await pause(retryAfterMs);
    }
  }
  return { status: 'failed', error: null };
}

function failed(error: unknown): Outcome {
  if (error instanceof CallRefused) return { status: 'failed', error: toErrorMessage(error) };
  reportProblem(error, { doing: 'placing an order' });
  return { status: 'failed', error: null };
}

const underway = new Map<string, Promise<Outcome>>();

/** Two mounts of the page, or one that was left and came back to, share one attempt. It is told of once. */
export function placeOnce(attempt: Attempt, supportEmail: string): Promise<Outcome> {
  const { key } = attempt.draft;
  let outcome = underway.get(key);
  if (!outcome) {
    outcome = sendOrder(attempt, fetchSend)
      .then((found) => {
        tell(attempt, found, supportEmail);
        return found;
      })
      .finally(() => underway.delete(key));
    underway.set(key, outcome);
  }
  return outcome;
}

function tell(attempt: Attempt, outcome: Outcome, supportEmail: string) {
  switch (outcome.status) {
    case 'placed':
      forgetUnplaced();
      track('purchase');
      return showToast({ text: orderMessages.placed, theme: 'green', durationMs: TOAST_MS.long });
    case 'stale':
      // Unless another draft was begun meanwhile.
      if (currentDraft().key === '') restoreDraft(attempt.draft);
      return showToast({ text: outcome.error, theme: 'red', durationMs: TOAST_MS.long });
    case 'failed':
      keepUnplaced({ attempt, error: outcome.error });
      return showToast({ text: msg(orderMessages.placeFailed, { email: supportEmail }), theme: 'red', durationMs: TOAST_MS.long });
  }
}
