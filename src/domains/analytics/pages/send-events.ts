import { fetchSend } from '../../../browser/client.ts';
import { analyticsSettings, collectEvents, MOST_EVENTS, SETTINGS_TIMEOUT_MS, type AnalyticsEvent } from '../contract.ts';

let counting: Promise<boolean> | undefined;

/** Whether the server still counts visits. Gives up after a minute, unnoticed. */
async function isCounting(): Promise<boolean> {
  const answer = await fetchSend(analyticsSettings, {}, { signal: AbortSignal.timeout(SETTINGS_TIMEOUT_MS) });
  return answer.response === 'success' && answer.data.counting;
}

export async function sendEvents(visit: string, events: AnalyticsEvent[]) {
  counting ??= isCounting();
  if (!(await counting)) return;
  for (let from = 0; from < events.length; from += MOST_EVENTS) {
    await fetchSend(collectEvents, { visit, events: events.slice(from, from + MOST_EVENTS) });
  }
}
