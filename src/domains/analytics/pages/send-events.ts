import { fetchSend } from '../../../browser/client.ts';
import { analyticsSettings, collectEvents, MAX_EVENTS, SETTINGS_TIMEOUT_MS, type AnalyticsEvent } from '../contract.ts';

/** Requested once per page, again after a failure, and shared by all batches. */
let counting: Promise<boolean> | undefined;

/** Returns whether the server counts visits. Throws if the call fails or times out. */
async function isCounting(): Promise<boolean> {
  const response = await fetchSend(analyticsSettings, {}, { signal: AbortSignal.timeout(SETTINGS_TIMEOUT_MS) });
  return response.response === 'success' && response.data.counting;
}

/** Sends the events in batches, or none if the server does not count. Throws if a call fails. */
export async function sendEvents(visit: string, events: AnalyticsEvent[]) {
  counting ??= isCounting().catch((error: unknown) => {
    counting = undefined;
    throw error;
  });
  if (!(await counting)) return;
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    await fetchSend(collectEvents, { visit, events: events.slice(from, from + MAX_EVENTS) });
  }
}
