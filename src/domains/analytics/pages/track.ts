/**
 * Records analytics events if the visitor consented. It never throws and never blocks. The code
 * that sends is loaded with the first event. Module state, because events also come from code
 * outside components; it lasts as long as the page.
 */
import { newId } from '../../../lib/ids.ts';
import type { AnalyticsEvent } from '../contract.ts';
import { consent } from './consent.ts';

const BATCH_MS = 2000;

let queue: AnalyticsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let visit: string | undefined;
let page = 'unknown';

/**
 * Records a page view, if the visitor has consented, and the page of later events. `name` is the
 * route id of the screen (routes.ts).
 */
export function trackPage(name: string) {
  page = name.toLowerCase();
  track('page_view');
}

/**
 * Queues an event if the visitor has consented. The queue is sent in batches; failed ones are lost.
 */
export function track(name: AnalyticsEvent['name'], value?: AnalyticsEvent['value']) {
  if (consent() !== 'yes') return;
  queue.push({ name, page, ...(value !== undefined && { value }) });
  timer ??= setTimeout(() => void flush(), BATCH_MS);
}

async function flush() {
  timer = undefined;
  const events = queue;
  queue = [];
  visit ??= newId();
  try {
    const { sendEvents } = await import('./send-events.ts');
    await sendEvents(visit, events);
  } catch {
    // Lost events are not retried.
  }
}
