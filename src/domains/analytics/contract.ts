/**
 * First-party analytics of visits and orders, only with the visitor's consent. Specification
 * section 1 (analytics) and section 9 (reading the settings times out after 60 s).
 */
import * as z from 'zod/mini';
import { defineErrors } from '../../contract/errors.ts';
import { defineCall, noBody, noData, rupees } from '../../contract/define-call.ts';

export const SETTINGS_TIMEOUT_MS = 60_000;

/** Names of GA4's recommended events. */
const EVENTS = ['page_view', 'sign_up', 'login', 'select_item', 'begin_checkout', 'purchase', 'share'] as const;

const event = z.object({
  name: z.enum(EVENTS),
  /**
   * The screen's id in src/routes.ts. Never a URL: URLs can contain order numbers and referral
   * codes.
   */
  page: z.string().check(z.regex(/^[a-z0-9/-]{1,100}$/)),
  value: z.optional(rupees),
});
export type AnalyticsEvent = z.output<typeof event>;

export const MAX_EVENTS = 20;

export const analyticsError = defineErrors({ 'too-many-events': 'Too many events, please wait' });

export const analyticsSettings = defineCall({
  method: 'GET',
  path: 'analytics/settings',
  summary: 'Whether this installation collects analytics.',
  caller: 'anyone',
  body: noBody,
  data: z.object({ counting: z.boolean() }),
});

export const collectEvents = defineCall({
  method: 'POST',
  path: 'analytics/collect',
  summary: 'Events of a visitor who consented to analytics. `visit` is a random id of the browser tab.',
  caller: 'anyone',
  errors: analyticsError.texts,
  body: z.object({
    visit: z.string().check(z.regex(/^[0-9A-Z]{20}$/)),
    events: z.array(event).check(z.minLength(1), z.maxLength(MAX_EVENTS)),
  }),
  data: noData,
});
