/**
 * The bot check before a text message is sent, which costs money. Design section 5. The default is
 * ALTCHA's proof of work.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { defineCall } from '../../contract/define-call.ts';

/** Specification section 8, "Bot check error or expiry"; {email} is the brand's. */
export const botCheckError = defineErrors({
  'bot-check-failed': 'This is a development error, complaint it at {email} or restart the app',
});

export const botCheckMessages = defineMessages({
  /** The text on the verification screen. */
  failedOnVerification: 'Please refresh the page and try again',
});

const kind = z.enum(['altcha', 'turnstile', 'recaptcha', 'off']);
export type BotCheckKind = z.infer<typeof kind>;

export const challenge = defineCall({
  method: 'POST',
  path: 'verification/challenge',
  summary: 'A challenge to solve before a code is sent. Valid once, for five minutes.',
  caller: 'anyone',
  body: z.object({}),
  /** `challenge` is the ALTCHA challenge as JSON text. It is empty with a hosted check or none. */
  data: z.object({ kind, challenge: z.string() }),
});

/** The `action` of our Turnstile tokens. */
export const TURNSTILE_ACTION = 'sendcode';

/**
 * Hosted checks: the script that a page loads when it needs a proof, and the sources that the
 * content security policy allows.
 */
export const hostedChecks = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    scriptSources: ['https://challenges.cloudflare.com'],
    frameSources: ['https://challenges.cloudflare.com'],
  },
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js?render=explicit',
    scriptSources: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    frameSources: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  },
} as const;

export type HostedCheck = keyof typeof hostedChecks;
