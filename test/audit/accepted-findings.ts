/**
 * Findings that are no faults of the program, with the reason. `text` must equal the text of the
 * finding. An entry that no run finds any more fails the audit too.
 */
import type { Mode } from './tool.ts';

export interface AcceptedFinding {
  readonly tool: string;
  readonly modes: readonly Mode[];
  readonly text: string;
  readonly reason: string;
}

const served = (modes: readonly Mode[], texts: readonly string[], reason: string): AcceptedFinding[] =>
  texts.map((text) => ({ tool: 'ffuf', modes, text, reason }));

export const acceptedFindings: readonly AcceptedFinding[] = [
  ...served(
    ['demo', 'live'],
    [
      '/docs/api: 200 from this machine',
      '/docs/api: 200 through a proxy',
      '/openapi.json: 200 from this machine',
      '/openapi.json: 200 through a proxy',
    ],
    'The documentation of the calls is public. It contains no data.',
  ),
  ...served(
    ['demo', 'live'],
    ['/livez: 200 from this machine', '/livez: 200 through a proxy', '/readyz: 200 from this machine', '/readyz: 200 through a proxy'],
    'Load balancers read the probes. They reveal whether the database responds, and nothing else.',
  ),
  ...served(
    ['demo'],
    ['/outbox', '/outbox.json', '/outbox.json?mobile=9876543210'].flatMap((path) => [
      `${path}: 200 from this machine`,
      `${path}: 200 through a proxy`,
    ]),
    'A demonstration shows the messages that it would have sent. A browser sees the messages that it requested only.',
  ),
  ...served(
    ['demo', 'live'],
    ['/cgi-bin/', '/metrics/', '/outbox/'].flatMap((path) => [`${path}: 308 from this machine`, `${path}: 308 through a proxy`]),
    'Every path with a slash at its end redirects to the path without it, whatever the path is.',
  ),
  {
    tool: 'csp_evaluator',
    modes: ['demo', 'live'],
    text: "script-src: 'self': 'self' can be problematic if you host JSONP, AngularJS or user uploaded files.",
    reason: 'The host serves no JSONP, no AngularJS and no files of users. Scripts are files of the build.',
  },
  {
    tool: 'csp_evaluator',
    modes: ['live'],
    text: "script-src: https://challenges.cloudflare.com: No bypass found; make sure that this URL doesn't serve JSONP replies or Angular libraries.",
    reason: 'Only with BOT_CHECK=turnstile, which needs the script. The host serves that check alone.',
  },
  {
    tool: 'html-validate',
    modes: ['demo'],
    text: 'meta-refresh: Meta refresh must be instant (0 second delay)',
    reason: 'The outbox of a demonstration refreshes itself, and says so.',
  },
  {
    tool: 'wapiti',
    modes: ['demo', 'live'],
    text: 'HTTP Secure Headers: X-XSS-Protection is not set',
    reason: 'Browsers have removed the filter that it controlled. The content security policy takes its place.',
  },
  {
    tool: 'wapiti',
    modes: ['demo'],
    text: 'HTTP Secure Headers: Strict-Transport-Security is not set',
    reason: 'Browsers ignore it over http. A PUBLIC_URL with https sets it, as the run in live mode shows.',
  },
];
