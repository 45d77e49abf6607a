import { z } from 'zod';
import { parseDatabaseUrl, type Target, type DatabaseConfig } from './db/hosts.server.ts';
import { asPaise } from './lib/money.ts';
import { MAX_ORDERS_PER_DAY } from './domains/orders/rules.ts';
import { REFERRAL_BONUS_TIMES } from './domains/referrals/contract.ts';
import {
  analyticsSettings,
  appSettings,
  botCheckOf,
  botCheckSettings,
  gatewayOf,
  gatewaySettings,
  notificationSettings,
  photoSettings,
  smsSettings,
  upiSettings,
} from './service-settings.server.ts';
import { tracingSchema, tracingSettings } from './server/tracing/tracing-settings.server.ts';
import { defaultBrand, PLACEHOLDERS } from './shared/brand.ts';

const httpUrl = z.url({ protocol: /^https?$/ });
const databaseUrl = (defaultTarget: Target) =>
  z.string().transform((url, context) => {
    try {
      return parseDatabaseUrl(url, defaultTarget);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });
/** Without quotes, a shell and Compose cut the value at its first space. */
const address = z.string().min(5, 'needs at least 5 characters: put a value with spaces between single quotes');
const telephone = z.string().min(5, "must be a telephone number, such as '+91 98765 00000': put a value with spaces between single quotes");
const number = (min: number, max: number, { isWhole = false } = {}) =>
  z.string().transform((text, context) => {
    // `Number` also accepts 0x1, 1e3 and spaces.
    const value = (isWhole ? /^\d+$/ : /^\d*\.?\d+$/).test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    context.addIssue(`must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}, not '${text}'`);
    return z.NEVER;
  });
const wholeNumber = (min: number, max: number) => number(min, max, { isWhole: true });
const port = wholeNumber(0, 65_535);

const schema = tracingSchema.extend({
  MODE: z.enum(['demo', 'live']).default('demo'),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATABASE_URL: databaseUrl('read-write').optional(),
  DATABASE_DIRECT_URL: databaseUrl('read-write').optional(),
  DATABASE_READ_URL: databaseUrl('any').optional(),
  DATABASE_POOL: wholeNumber(2, 100).default(10),
  DATA_DIR: z.string().min(1).optional(),
  PUBLIC_URL: httpUrl.optional(),
  SECRET: z.string().min(32, 'needs at least 32 bytes').optional(),
  METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  SMS_PROVIDER: z.enum(['outbox', 'msg91', 'firebase']).default('outbox'),
  MSG91_AUTH_KEY: z.string().min(1).optional(),
  MSG91_TEMPLATE_ID: z.string().min(1).optional(),
  MSG91_TEMPLATE_PLACED: z.string().min(1).optional(),
  MSG91_TEMPLATE_RESCHEDULED: z.string().min(1).optional(),
  MSG91_TEMPLATE_ATTEMPTED: z.string().min(1).optional(),
  MSG91_TEMPLATE_WEIGHED: z.string().min(1).optional(),
  MSG91_TEMPLATE_CORRECTED: z.string().min(1).optional(),
  MSG91_TEMPLATE_DELIVERY: z.string().min(1).optional(),
  MSG91_TEMPLATE_REDELIVERY: z.string().min(1).optional(),
  MSG91_TEMPLATE_DELIVERED: z.string().min(1).optional(),
  MSG91_TEMPLATE_UNCONFIRMED: z.string().min(1).optional(),
  MSG91_TEMPLATE_CANCELLED: z.string().min(1).optional(),
  MSG91_TEMPLATE_REPAID: z.string().min(1).optional(),
  MSG91_TEMPLATE_VOIDED: z.string().min(1).optional(),
  MSG91_TEMPLATE_REFUNDED: z.string().min(1).optional(),
  MSG91_TEMPLATE_PAID: z.string().min(1).optional(),
  MSG91_TEMPLATE_REVERSED: z.string().min(1).optional(),
  MSG91_TEMPLATE_RECOVERED: z.string().min(1).optional(),
  MSG91_TEMPLATE_DISMISSED: z.string().min(1).optional(),
  MSG91_TEMPLATE_ANSWERED: z.string().min(1).optional(),
  MSG91_TEMPLATE_SETTLED: z.string().min(1).optional(),
  MSG91_URL: httpUrl.default('https://control.msg91.com/api/v5/flow'),
  FIREBASE_PROJECT_ID: z.string().min(1).optional(),
  FIREBASE_API_KEY: z.string().min(1).optional(),
  FIREBASE_URL: httpUrl.default('https://identitytoolkit.googleapis.com'),
  FIREBASE_KEYS_URL: httpUrl.default('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'),
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .regex(/^[\w.-]+:\d+$/, 'must be host:port')
    .optional(),
  BOT_CHECK: z.enum(['altcha', 'turnstile', 'recaptcha', 'off']).optional(),
  TURNSTILE_SITE_KEY: z.string().min(1).optional(),
  TURNSTILE_SECRET: z.string().min(1).optional(),
  TURNSTILE_URL: httpUrl.default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  ANALYTICS: z.enum(['off', 'log', 'ga4']).default('log'),
  GA4_MEASUREMENT_ID: z.string().min(1).optional(),
  GA4_API_SECRET: z.string().min(1).optional(),
  GA4_URL: httpUrl.default('https://www.google-analytics.com'),
  PAYMENT_GATEWAY: z.enum(['off', 'sandbox', 'razorpay']).optional(),
  RAZORPAY_KEY_ID: z.string().min(1).optional(),
  RAZORPAY_KEY_SECRET: z.string().min(1).optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1).optional(),
  RAZORPAY_URL: httpUrl.default('https://api.razorpay.com'),
  UPI_VPA: z
    .string()
    .regex(/^[\w.-]{2,256}@[A-Za-z][\w.-]{1,63}$/, 'must be name@bank')
    .optional(),
  UPI_NAME: z.string().min(1).max(99).optional(),
  PHOTO_STORAGE: z.enum(['folder', 's3']).default('folder'),
  PHOTO_DIR: z.string().min(1).optional(),
  S3_URL: httpUrl.optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  REFERRAL_BONUS: z.enum(REFERRAL_BONUS_TIMES).default('sign-up'),
  COMPENSATION_PER_PIECE: wholeNumber(1, 100_000).default(1000),
  ORDERS_A_DAY: wholeNumber(1, 100_000).default(MAX_ORDERS_PER_DAY),
  OPERATOR_CREDITS_A_DAY: wholeNumber(0, 100_000).default(1000),
  CHANGE_PER_CASH_PAYMENT: wholeNumber(0, 100_000).default(500),
  OPERATOR_OFFER_PERCENT: wholeNumber(0, 100).default(20),
  TRUST_PROXY: wholeNumber(0, 5).optional(),
  DRAIN_SECONDS: number(0, 60).default(0.2),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  LOG_SUCCESSES: number(0, 1).default(1),
  BRAND_NAME: z.string().min(1).optional(),
  BRAND_PROVIDER: z.string().min(1).optional(),
  BRAND_EMAIL: z.email().optional(),
  BRAND_MOBILE: telephone.optional(),
  BRAND_ADDRESS: address.optional(),
  BRAND_ADDRESS_HI: address.optional(),
  BRAND_FACEBOOK_URL: httpUrl.optional(),
  BRAND_INSTAGRAM_URL: httpUrl.optional(),
  BRAND_WHATSAPP_NUMBER: z
    .string()
    .regex(/^[1-9]\d{7,14}$/, 'must be digits with the country code')
    .optional(),
  BRAND_ANDROID_URL: httpUrl.optional(),
  BRAND_IOS_URL: httpUrl.optional(),
  ANDROID_APP_ID: z
    .string()
    .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'must be a package name')
    .optional(),
  ANDROID_APP_FINGERPRINTS: z
    .string()
    .regex(
      /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}(?:,(?:[0-9A-F]{2}:){31}[0-9A-F]{2})*$/,
      'must be SHA-256 fingerprints with colons, separated by commas',
    )
    .optional(),
  IOS_APP_ID: z
    .string()
    .regex(/^[0-9A-Z]{10}(\.[A-Za-z0-9-]+)+$/, 'must be team.bundle')
    .optional(),
});

export type Values = z.output<typeof schema>;

export type Settings = Readonly<ReturnType<typeof parseSettings>>;

/** The message is one line that names every invalid setting. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings';
}

/**
 * Parses the environment variables that docs/operations.md lists. Throws `InvalidSettings` if a
 * value is invalid or missing.
 */
export function parseSettings(environment: Record<string, string | undefined>) {
  const parsed = schema.safeParse(withoutEmpty(environment));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new InvalidSettings(`Invalid settings: ${problems.join('; ')}`);
  }
  const values = parsed.data;
  const problems = [...missing(values), ...conflicts(values)];
  if (problems.length > 0) throw new InvalidSettings(`Invalid settings: ${problems.join('; ')}`);
  return {
    mode: values.MODE,
    port: values.PORT,
    host: values.HOST,
    database: values.DATABASE_URL,
    /** For what a pooler in transaction mode cannot do: LISTEN, migrations and commands. */
    directDatabase: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    /** A replica, for reads that may miss the writes of the last seconds. */
    readDatabase: values.DATABASE_READ_URL,
    databasePool: values.DATABASE_POOL,
    dataDir: values.DATA_DIR,
    publicUrl: values.PUBLIC_URL,
    secret: values.SECRET,
    metricsToken: values.METRICS_TOKEN,
    sms: smsSettings(values),
    notifications: notificationSettings(values),
    botCheck: botCheckSettings(values),
    analytics: analyticsSettings(values),
    gateway: gatewaySettings(values),
    upi: upiSettings(values),
    photos: photoSettings(values),
    referralBonusTime: values.REFERRAL_BONUS,
    maxCompensationPaise: asPaise(values.COMPENSATION_PER_PIECE * 100),
    maxOrdersPerDay: values.ORDERS_A_DAY,
    operatorCreditsPerDayPaise: asPaise(values.OPERATOR_CREDITS_A_DAY * 100),
    maxCashChangePaise: asPaise(values.CHANGE_PER_CASH_PAYMENT * 100),
    operatorOfferPercent: values.OPERATOR_OFFER_PERCENT,
    trustProxyHops: values.TRUST_PROXY ?? 0,
    drainSeconds: values.DRAIN_SECONDS,
    logLevel: values.LOG_LEVEL,
    loggedSuccesses: values.LOG_SUCCESSES,
    apps: appSettings(values),
    /** Undefined without a collector. */
    tracing: tracingSettings(values),
    brand: {
      name: values.BRAND_NAME,
      provider: values.BRAND_PROVIDER,
      email: values.BRAND_EMAIL,
      mobile: values.BRAND_MOBILE,
      address: values.BRAND_ADDRESS,
      addressInHindi: values.BRAND_ADDRESS_HI,
      social: { network: values.BRAND_FACEBOOK_URL, photos: values.BRAND_INSTAGRAM_URL, chatNumber: values.BRAND_WHATSAPP_NUMBER },
      stores: { android: values.BRAND_ANDROID_URL, ios: values.BRAND_IOS_URL },
    },
  };
}

/**
 * The required settings of each choice. The text message of MSG91 contains the host of PUBLIC_URL.
 */
const REQUIRED = {
  outbox: [],
  msg91: ['MSG91_AUTH_KEY', 'MSG91_TEMPLATE_ID', 'PUBLIC_URL'],
  firebase: ['FIREBASE_PROJECT_ID', 'FIREBASE_API_KEY'],
  altcha: [],
  off: [],
  turnstile: ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET'],
  recaptcha: ['RECAPTCHA_SITE_KEY'],
  log: [],
  ga4: ['GA4_MEASUREMENT_ID', 'GA4_API_SECRET'],
  sandbox: [],
  folder: [],
  s3: ['S3_URL', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  // Razorpay redirects customers to PUBLIC_URL.
  razorpay: ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET', 'PUBLIC_URL'],
} as const;

/** Returns one text for each choice whose required settings are missing. */
function missing(values: Values): string[] {
  const botCheck = botCheckOf(values);
  const gateway = gatewayOf(values);
  const live = [
    values.DATABASE_URL ? '' : 'DATABASE_URL',
    values.PUBLIC_URL?.startsWith('https://') ? '' : 'PUBLIC_URL (https)',
    values.SECRET ? '' : 'SECRET (32 bytes or more)',
    // Behind a proxy, 0 would make all visitors one network.
    values.TRUST_PROXY === undefined ? 'TRUST_PROXY (the number of proxies, or 0)' : '',
    values.SMS_PROVIDER === 'outbox' ? 'SMS_PROVIDER (a real one)' : '',
    botCheck === 'off' ? 'BOT_CHECK (not off)' : '',
    (values.BRAND_EMAIL ?? defaultBrand.email) === PLACEHOLDERS.email ? 'BRAND_EMAIL' : '',
    (values.BRAND_MOBILE ?? defaultBrand.mobile) === PLACEHOLDERS.mobile ? 'BRAND_MOBILE' : '',
    (values.BRAND_ADDRESS ?? defaultBrand.address) === PLACEHOLDERS.address ? 'BRAND_ADDRESS' : '',
  ];
  const needs = [
    { choice: `MODE=${values.MODE}`, names: values.MODE === 'live' ? live.filter(Boolean) : [] },
    { choice: `SMS_PROVIDER=${values.SMS_PROVIDER}`, names: REQUIRED[values.SMS_PROVIDER].filter((name) => !values[name]) },
    { choice: `ANALYTICS=${values.ANALYTICS}`, names: REQUIRED[values.ANALYTICS].filter((name) => !values[name]) },
    { choice: `PAYMENT_GATEWAY=${gateway}`, names: REQUIRED[gateway].filter((name) => !values[name]) },
    { choice: `PHOTO_STORAGE=${values.PHOTO_STORAGE}`, names: REQUIRED[values.PHOTO_STORAGE].filter((name) => !values[name]) },
    { choice: `BOT_CHECK=${botCheck}`, names: REQUIRED[botCheck].filter((name) => !values[name]) },
  ];
  return needs.filter(({ names }) => names.length > 0).map(({ choice, names }) => `${choice} needs: ${names.join(', ')}`);
}

/** Returns one text for each combination of valid settings that is not allowed. */
function conflicts(values: Values): string[] {
  const { MODE, SMS_PROVIDER, FIREBASE_AUTH_EMULATOR_HOST: emulator } = values;
  const botCheck = botCheckOf(values);
  const insecure = (
    ['MSG91_URL', 'FIREBASE_URL', 'FIREBASE_KEYS_URL', 'TURNSTILE_URL', 'GA4_URL', 'RAZORPAY_URL', 'S3_URL'] as const
  ).filter((name) => values[name] !== undefined && !values[name].startsWith('https:'));
  const table: [boolean, string][] = [
    [botCheck === 'recaptcha' && SMS_PROVIDER !== 'firebase', 'BOT_CHECK=recaptcha needs SMS_PROVIDER=firebase'],
    [
      SMS_PROVIDER === 'firebase' && botCheck !== 'recaptcha' && !(botCheck === 'off' && emulator),
      'SMS_PROVIDER=firebase needs BOT_CHECK=recaptcha (or off, with the emulator)',
    ],
    [values.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined, 'DATABASE_READ_URL needs DATABASE_URL'],
    // A start would use the embedded database, and a command this one.
    [values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined, 'DATABASE_DIRECT_URL needs DATABASE_URL'],
    [
      values.DATABASE_URL !== undefined &&
        values.DATABASE_DIRECT_URL !== undefined &&
        databaseName(values.DATABASE_URL) !== databaseName(values.DATABASE_DIRECT_URL),
      'DATABASE_URL and DATABASE_DIRECT_URL name different databases: set both, or only DATABASE_URL',
    ],
    [MODE === 'live' && emulator !== undefined, 'FIREBASE_AUTH_EMULATOR_HOST is for demonstrations only'],
    [MODE === 'live' && gatewayOf(values) === 'sandbox', 'PAYMENT_GATEWAY=sandbox is for demonstrations only'],
    [
      (values.ANDROID_APP_ID === undefined) !== (values.ANDROID_APP_FINGERPRINTS === undefined),
      'ANDROID_APP_ID and ANDROID_APP_FINGERPRINTS need each other',
    ],
    [MODE === 'live' && insecure.length > 0, `MODE=live needs https in ${insecure.join(', ')}`],
  ];
  return table.flatMap(([isConflict, text]) => (isConflict ? [text] : []));
}

const databaseName = ({ connectionString = '' }: DatabaseConfig): string => new URL(connectionString).pathname;

/** An empty or blank variable is the same as a missing one. */
const withoutEmpty = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
