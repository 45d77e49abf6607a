/** Counts what happens, if the visitor agreed. Never throws, never waits, and loads the code that sends only when there is something to send. */
import { newId } from '../../../lib/ids.ts';
import type { AnalyticsEvent } from '../contract.ts';
import { consent } from './consent.ts';

const GATHER_MS = 2000;

let waiting: AnalyticsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let visit: string | undefined;
let page = 'unknown';

/** The screen that is shown, by its name in the screen table. */
export function trackPage(name: string) {
  page = name.toLowerCase();
  track('page_view');
}

export function track(name: AnalyticsEvent['name'], value?: AnalyticsEvent['value']) {
  if (consent() !== 'yes') return;
  waiting.push({ name, page, ...(value !== undefined && { value }) });
  timer ??= setTimeout(() => void flush(), GATHER_MS);
}

async function flush() {
  timer = undefined;
  const events = waiting;
  waiting = [];
  visit ??= newId();
  try {
    const { sendEvents } = await import('./send-events.ts');
    await sendEvents(visit, events);
  } catch {
    // What could not be counted is not counted.
  }
}
