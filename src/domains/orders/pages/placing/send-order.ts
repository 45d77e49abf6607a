/**
 * Places an order from the browser once, also if the page mounts repeatedly or a response is lost.
 * Design section 6, "Placing on load".
 */
import { msg, type ErrorMessage } from '../../../../i18n/messages.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import { showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { CallRefused, isTransient } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { endTabSession } from '../../../../browser/session-user.ts';
import type { Send } from '../../../../contract/send.ts';
import { track } from '../../../analytics/pages/track.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { clearEvenings } from '../../../evenings/pages/use-evenings.ts';
import { orderMessages, TIMESLOT, type OrderRequest, type PlacedOrder, type PlaceOrderErrorCode } from '../../contract.ts';
import { choicesOf } from '../../choices-contract.ts';
import { calculateRates, cartActions, deliveryAddressOf } from '../draft/cart-state.ts';
import { changeDraft, currentDraft, restoreDraft } from '../draft/draft.ts';
import { guestConsent } from './verified-guest.ts';
import { OutOfTime, sendWithRetries, wait, type Pause } from './send-with-retries.ts';
import { storeExpectedLoad } from '../offline/seen-orders.ts';
import { clearUnplaced, storeUnplaced, type Attempt } from './unplaced.ts';

export type PlacingOutcome =
  | { status: 'placed'; order: PlacedOrder }
  /** The rates, the offer or the pickup day have changed since the customer saw them. */
  | { status: 'stale'; error: ErrorMessage }
  /** `error` is null if it is unknown whether the order was placed. */
  | { status: 'failed'; error: ErrorMessage | null };

/** After these errors the draft is updated: the customer sees the new values and confirms again. */
const STALE: ReadonlySet<PlaceOrderErrorCode> = new Set([
  'rates-changed',
  'offer-changed',
  'unknown-timeslot',
  'pickup-moved',
  'pickup-day-too-far',
  'evening-full',
  'evening-closed',
  'evening-limit',
  'evenings-full',
]);

/** The context of error reports. */
const CONTEXT = { doing: 'placing an order' };

/**
 * Returns null if a part is missing: then no call is made (specification section 7,
 * orders/addorder.php).
 */
function orderRequest({ draft, userid }: Attempt): OrderRequest | null {
  const { service, area, slotChosen, pickupDay } = draft;
  const rates = calculateRates(draft);
  const address = deliveryAddressOf(draft, userid);
  if (!service || !rates || !address || area === 'none' || !slotChosen) return null;
  return {
    ...(userid === null ? {} : { userid }),
    ...('addressid' in address ? { addressid: address.addressid } : { guest_address: address }),
    timeslot: TIMESLOT,
    ...(pickupDay !== null && { pickup_date: pickupDay }),
    program: service.programid,
    programrate: rates.ratePaise,
    orderrate: rates.orderRatePaise,
    area,
    ...(rates.offer && { offerid: rates.offer.id, offerrate: rates.offer.percent }),
    ...choicesOf(service.programid),
    ...(userid === null && { consent: guestConsent() }),
  };
}

/**
 * Sends one attempt with retries, for at most 45 s, and returns its outcome; never throws. The
 * key makes retries safe. `pause` replaces the timer in tests.
 */
export async function sendOrder(attempt: Attempt, send: Send, pause: Pause = wait): Promise<PlacingOutcome> {
  const body = orderRequest(attempt);
  if (!body) return { status: 'failed', error: null };
  try {
    const result = await sendWithRetries(send, body, attempt.draft.key, pause);
    if (result.response === 'success') return { status: 'placed', order: result.data };
    return { status: STALE.has(result.code) ? 'stale' : 'failed', error: toErrorMessage(result) };
  } catch (error) {
    if (error instanceof OutOfTime) return { status: 'failed', error: null };
    if (error instanceof CallRefused && !isTransient(error)) return { status: 'failed', error: toErrorMessage(error) };
    reportProblem(error, CONTEXT);
    return { status: 'failed', error: null };
  }
}

/**
 * By idempotency key. Module state, because an attempt goes on when its page unmounts, and the next
 * mount must find it. An entry is removed when its attempt ends.
 */
const activeAttempts = new Map<string, Promise<PlacingOutcome>>();

/**
 * Sends an attempt, or returns the outcome of the running one with the same key, so that all mounts
 * of the page share it. Shows and stores the outcome once. Never rejects.
 */
export function placeOnce(attempt: Attempt, supportEmail: string): Promise<PlacingOutcome> {
  const { key } = attempt.draft;
  let outcome = activeAttempts.get(key);
  if (!outcome) {
    outcome = sendOrder(attempt, fetchSend)
      .then((result) => {
        handleOutcome(attempt, result, supportEmail);
        return result;
      })
      .finally(() => activeAttempts.delete(key));
    activeAttempts.set(key, outcome);
  }
  return outcome;
}

/** Sets the day that the server offered instead of the refused one. Does nothing without one. */
function offerDay({ code, params: { pickupDay: day } }: ErrorMessage) {
  if (typeof day !== 'string') return;
  clearEvenings();
  changeDraft((draft) =>
    // For this customer only: the evenings still name the refused one as free.
    code === ('evening-limit' satisfies PlaceOrderErrorCode) ? cartActions.chooseDay(draft, day) : { ...draft, pickupDay: day },
  );
}

/**
 * Shows the outcome. Stores a failed attempt for a retry, and restores a stale draft with the day
 * that the server offered.
 */
function handleOutcome(attempt: Attempt, outcome: PlacingOutcome, supportEmail: string) {
  switch (outcome.status) {
    case 'placed':
      clearUnplaced();
      track('purchase');
      if (attempt.draft.expectedLoad) storeExpectedLoad(outcome.order.orderid, attempt.draft.expectedLoad);
      return showToast({ text: orderMessages.placed, theme: 'green', durationMs: TOAST_MS.long });
    case 'stale':
      // Does not overwrite a new draft.
      if (currentDraft().key === '') restoreDraft(attempt.draft);
      offerDay(outcome.error);
      return showToast({ text: outcome.error, theme: 'red', durationMs: TOAST_MS.long });
    case 'failed':
      // Home then offers the log-in.
      if (outcome.error?.code === 'login-required') endTabSession();
      storeUnplaced({ attempt, error: outcome.error });
      return showToast({ text: msg(orderMessages.placeFailed, { email: supportEmail }), theme: 'red', durationMs: TOAST_MS.long });
  }
}
