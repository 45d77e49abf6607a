/**
 * Destinations of analytics events: the program's log, or the Measurement Protocol of Google
 * Analytics 4.
 */
import type { AnalyticsEvent } from './contract.ts';

export interface EventSink {
  /** Throws if the destination does not accept the events. */
  send(visit: string, events: readonly AnalyticsEvent[]): Promise<void>;
}

/** The default: writes one log line for each event. */
export const logSink = (log: (line: Record<string, unknown>) => void): EventSink => ({
  send: async (visit, events) => {
    for (const { name, page, value } of events) log({ analytics: name, visit, page, ...(value !== undefined && { paise: value }) });
  },
});

export interface Ga4Settings {
  /** https://www.google-analytics.com, or the tests' stand-in. */
  url: string;
  measurementId: string;
  apiSecret: string;
}

const GA4_TIMEOUT_MS = 5000;

export const ga4Sink = ({ url, measurementId, apiSecret }: Ga4Settings): EventSink => ({
  send: async (visit, events) => {
    const address = new URL('/mp/collect', url);
    address.searchParams.set('measurement_id', measurementId);
    address.searchParams.set('api_secret', apiSecret);
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(GA4_TIMEOUT_MS),
      body: JSON.stringify({
        client_id: visit,
        events: events.map(({ name, page, value }) => ({
          name,
          params: { page_title: page, ...(value !== undefined && { value: value / 100, currency: 'INR' }) },
        })),
      }),
    });
    // The body is empty; reading it lets the connection be reused.
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The analytics service returned ${response.status}`);
  },
});
