/** The clients of external services, or their stand-ins, as the settings select them. */
import path from 'node:path';
import type { Db } from '../db/database.server.ts';
import { ga4Sink, logSink, type EventSink } from '../domains/analytics/provider.server.ts';
import { hostedChecks } from '../domains/bot-check/contract.ts';
import { BOT_CHECK_TIMEOUT_MS, noBotCheck, type BotCheck } from '../domains/bot-check/provider.server.ts';
import { altcha } from '../domains/bot-check/providers/altcha.server.ts';
import { recaptcha } from '../domains/bot-check/providers/recaptcha.server.ts';
import { turnstile } from '../domains/bot-check/providers/turnstile.server.ts';
import { STORAGE_TIMEOUT_MS, type PhotoStorage } from '../domains/photos/provider.server.ts';
import { folderStorage } from '../domains/photos/providers/folder.server.ts';
import { s3Storage } from '../domains/photos/providers/s3.server.ts';
import { CODE_TEMPLATE, MESSAGE_TIMEOUTS, outboxGateway, type TextGateway } from '../domains/messages/provider.server.ts';
import { createMessages, type Messages } from '../domains/messages/service.server.ts';
import { msg91 } from '../domains/messages/providers/msg91.server.ts';
import { GATEWAY_TIMEOUT_MS, type Gateway } from '../domains/payments/provider.server.ts';
import { razorpay } from '../domains/payments/providers/razorpay.server.ts';
import { sandbox } from '../domains/payments/providers/sandbox.server.ts';
import { CHECK_CODE_TIMEOUT_MS, localCodes, type CodeProvider } from '../domains/verification/provider.server.ts';
import { signedTokens, unsignedTokens } from '../domains/verification/providers/firebase-tokens.server.ts';
import { firebaseCodes } from '../domains/verification/providers/firebase.server.ts';
import type { Clock } from '../lib/clock.ts';
import { isIndianMobile, isPseudonym } from '../lib/mobile.ts';
import type { Log } from '../server/http/log.server.ts';
import { NO_EXTERNAL_SOURCES, type ExternalSources } from '../security/security-headers.server.ts';
import type { Settings } from '../settings.server.ts';
import type { SiteConfig } from '../shared/site-config.ts';

export const SERVICE_TIMEOUTS = {
  ...MESSAGE_TIMEOUTS,
  checkCodeMs: CHECK_CODE_TIMEOUT_MS,
  botCheckMs: BOT_CHECK_TIMEOUT_MS,
  gatewayMs: GATEWAY_TIMEOUT_MS,
  storageMs: STORAGE_TIMEOUT_MS,
} as const;

export type ServiceTimeouts = Readonly<Record<keyof typeof SERVICE_TIMEOUTS, number>>;

interface ServiceOptions {
  db: Db;
  clock: Clock;
  settings: Settings;
  secret: string;
  timeouts: ServiceTimeouts;
  /** Contains the photos if the settings name no other folder for them. */
  dataDir: string | undefined;
  log: Pick<Log, 'info'>;
  onFailure(error: unknown, operation: string): void;
}

export interface Services {
  botCheck: BotCheck;
  codes: CodeProvider;
  /** Returns true if a code can reach the number. */
  canReceive(mobile: string): boolean;
  /** Undefined if online payment is off. */
  gateway: Gateway | undefined;
  /** Sends the codes, unless the provider is Firebase. */
  messages: Messages;
  /** Undefined if no gateway is set for messages about orders. */
  notificationGateway: TextGateway | undefined;
  storage: PhotoStorage;
  /** Undefined if analytics is off. */
  sink: EventSink | undefined;
}

export function createServices(options: ServiceOptions): Services {
  const { db, clock, timeouts, onFailure } = options;
  return {
    botCheck: createBotCheck(options),
    codes: createCodeProvider(options),
    canReceive: createReachCheck(options),
    gateway: createGateway(options),
    messages: createMessages({ db, clock, gateway: createTextGateway(options), firstRetryMs: timeouts.firstRetryMs, onFailure }),
    notificationGateway: createNotificationGateway(options),
    storage: createPhotoStorage(options),
    sink: createEventSink(options),
  };
}

function createBotCheck({ db, clock, secret, settings, timeouts, onFailure }: ServiceOptions): BotCheck {
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
        onFailure,
      });
  }
}

/** Creates the gateway for codes. Unused with Firebase, which sends its codes itself. */
const createTextGateway = ({ settings: { sms }, timeouts }: ServiceOptions): TextGateway =>
  sms.provider === 'msg91'
    ? msg91({ authKey: sms.authKey, url: sms.url, templates: { [CODE_TEMPLATE]: sms.templateId }, attemptMs: timeouts.attemptMs })
    : outboxGateway;

/**
 * Returns the outbox if the codes go there, even if notifications are configured. Otherwise returns
 * MSG91, or undefined without these settings.
 */
function createNotificationGateway({ settings: { sms, notifications }, timeouts }: ServiceOptions): TextGateway | undefined {
  if (sms.provider === 'outbox') return outboxGateway;
  return notifications && msg91({ ...notifications, attemptMs: timeouts.attemptMs });
}

function createCodeProvider({ clock, secret, settings: { sms }, timeouts }: ServiceOptions): CodeProvider {
  if (sms.provider !== 'firebase') return localCodes(secret);
  const { apiKey, url, projectId, keysUrl } = sms;
  const verifyToken = keysUrl
    ? signedTokens({ projectId, clock, keysUrl, timeoutMs: timeouts.checkCodeMs })
    : unsignedTokens({ projectId, clock });
  return firebaseCodes({ apiKey, url, verifyToken, startTimeoutMs: timeouts.attemptMs, checkTimeoutMs: timeouts.checkCodeMs });
}

/**
 * Returns the check whether a code can reach a number. A demonstration shows the codes of all
 * numbers: that of an erased customer would be an account with the orders of the erased one.
 */
const createReachCheck = ({ settings: { sms } }: ServiceOptions) =>
  sms.provider === 'outbox' ? (mobile: string) => !isPseudonym(mobile) : isIndianMobile;

function createEventSink({ settings: { analytics }, log }: ServiceOptions): EventSink | undefined {
  if (analytics.kind === 'ga4') return ga4Sink(analytics);
  return analytics.kind === 'log' ? logSink((line) => log.info(line)) : undefined;
}

function createGateway({ db, clock, settings: { gateway }, timeouts }: ServiceOptions): Gateway | undefined {
  switch (gateway.kind) {
    case 'off':
      return undefined;
    case 'sandbox':
      return sandbox({ db, clock });
    case 'razorpay':
      return razorpay({ ...gateway, timeoutMs: timeouts.gatewayMs });
  }
}

function createPhotoStorage({ clock, settings: { photos, ...settings }, dataDir, timeouts }: ServiceOptions): PhotoStorage {
  if (photos.kind === 's3') return s3Storage({ ...photos, clock, timeoutMs: timeouts.storageMs });
  return folderStorage(photos.folder ?? path.join(dataDir ?? settings.dataDir ?? '.data', 'photos'));
}

/** The bot check without its secret, for browsers. */
export const publicBotCheck = ({ botCheck }: Settings): SiteConfig['botCheck'] =>
  'siteKey' in botCheck ? { kind: botCheck.kind, siteKey: botCheck.siteKey } : { kind: botCheck.kind };

/** Returns what a browser loads from others, for the content security policy. */
export const externalSources = ({ botCheck }: Settings): ExternalSources =>
  botCheck.kind === 'turnstile' || botCheck.kind === 'recaptcha' ? hostedChecks[botCheck.kind] : NO_EXTERNAL_SOURCES;
