/** Which services outside this program the settings name, as the ports of the domains, and what of them pages need to know. */
import { isIndianMobile } from './lib/mobile.ts';
import { ga4Sink, logSink, type EventSink } from './domains/analytics/provider.server.ts';
import { hostedChecks } from './domains/bot-check/contract.ts';
import { noBotCheck, type BotCheck } from './domains/bot-check/provider.server.ts';
import { altcha } from './domains/bot-check/providers/altcha.server.ts';
import { recaptcha } from './domains/bot-check/providers/recaptcha.server.ts';
import { turnstile } from './domains/bot-check/providers/turnstile.server.ts';
import { outboxGateway, type TextGateway } from './domains/messages/provider.server.ts';
import { msg91 } from './domains/messages/providers/msg91.server.ts';
import type { Gateway } from './domains/payments/provider.server.ts';
import { razorpay } from './domains/payments/providers/razorpay.server.ts';
import { sandbox } from './domains/payments/providers/sandbox.server.ts';
import { ownCodes, type CodeProvider } from './domains/verification/provider.server.ts';
import { firebaseCodes } from './domains/verification/providers/firebase.server.ts';
import { signedTokens, unsignedTokens } from './domains/verification/providers/firebase-tokens.server.ts';
import type { SiteConfig } from './browser/site-config.ts';
import { NO_OUTSIDE_SOURCES, type OutsideSources } from './server/http/security-headers.server.ts';
import type { Settings } from './settings.server.ts';
import type { Foundations } from './foundations.server.ts';

export function botCheckOf({ db, clock, secret, settings, timeouts, onBackgroundFailure }: Foundations): BotCheck {
  const { botCheck } = settings;
  switch (botCheck.kind) {
    case 'off':
      return noBotCheck;
    case 'altcha':
      return altcha({ db, clock, secret });
    case 'recaptcha':
      return recaptcha({ db, clock });
    case 'turnstile':
      return turnstile({
        db,
        clock,
        secret: botCheck.secret,
        url: botCheck.url,
        host: settings.publicUrl && new URL(settings.publicUrl).hostname,
        timeoutMs: timeouts.botCheckMs,
        onFailure: onBackgroundFailure,
      });
  }
}

/** Who carries our own messages. Firebase sends its codes itself. */
export const textGatewayOf = ({ settings: { sms }, timeouts }: Foundations): TextGateway =>
  sms.provider === 'msg91' ? msg91({ ...sms, attemptMs: timeouts.attemptMs }) : outboxGateway;

export function codesOf({ clock, secret, settings: { sms }, timeouts }: Foundations): CodeProvider {
  if (sms.provider !== 'firebase') return ownCodes(secret);
  const { apiKey, url, projectId, keysUrl } = sms;
  const readToken = keysUrl
    ? signedTokens({ projectId, clock, keysUrl, timeoutMs: timeouts.checkCodeMs })
    : unsignedTokens({ projectId, clock });
  return firebaseCodes({ apiKey, url, readToken, startWithinMs: timeouts.attemptMs, checkWithinMs: timeouts.checkCodeMs });
}

/** Where counted visits go; nowhere when this installation counts none. */
export function eventSinkOf({ settings: { analytics }, log }: Pick<Foundations, 'settings' | 'log'>): EventSink | undefined {
  if (analytics.kind === 'ga4') return ga4Sink(analytics);
  return analytics.kind === 'log' ? logSink(log) : undefined;
}

/** Who takes payments online, if anyone. */
export function gatewayOf({ db, clock, settings: { gateway }, timeouts }: Foundations): Gateway | undefined {
  switch (gateway.kind) {
    case 'off':
      return undefined;
    case 'sandbox':
      return sandbox({ db, clock });
    case 'razorpay':
      return razorpay({ ...gateway, timeoutMs: timeouts.gatewayMs });
  }
}

/** In a demonstration any ten digits will do; a message that costs money goes only where it can arrive. */
export const reachedBy = ({ sms }: Settings) => (sms.provider === 'outbox' ? () => true : isIndianMobile);

/** The bot check as pages know it: without its secret. */
export const publicBotCheck = ({ botCheck }: Settings): SiteConfig['botCheck'] =>
  'siteKey' in botCheck ? { kind: botCheck.kind, siteKey: botCheck.siteKey } : { kind: botCheck.kind };

export const outsideSources = ({ botCheck }: Settings): OutsideSources =>
  botCheck.kind === 'turnstile' || botCheck.kind === 'recaptcha' ? hostedChecks[botCheck.kind] : NO_OUTSIDE_SOURCES;
