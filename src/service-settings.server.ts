/** The settings of the services and apps outside the program, from values that are checked. */
import type { NotificationKind } from './domains/notifications/contract.ts';
import { invariant } from './lib/invariant.ts';
import type { Values } from './settings.server.ts';
import { defaultBrand } from './shared/brand.ts';

/** Returns BOT_CHECK or its default, which is reCAPTCHA for Firebase: it accepts no other. */
export const botCheckOf = (values: Values) => values.BOT_CHECK ?? (values.SMS_PROVIDER === 'firebase' ? 'recaptcha' : 'altcha');

/** Returns PAYMENT_GATEWAY or its default: in a demonstration a gateway that moves no money. */
export const gatewayOf = ({ PAYMENT_GATEWAY: gateway, MODE }: Values) => gateway ?? (MODE === 'demo' ? 'sandbox' : 'off');

type SmsSettings =
  | { provider: 'outbox' }
  | { provider: 'msg91'; authKey: string; templateId: string; url: string }
  | { provider: 'firebase'; projectId: string; apiKey: string; url: string; keysUrl: string | undefined };

export function smsSettings(values: Values): SmsSettings {
  const { SMS_PROVIDER: provider, FIREBASE_AUTH_EMULATOR_HOST: emulator } = values;
  if (provider === 'outbox') return { provider };
  if (provider === 'msg91') {
    return { provider, authKey: required(values.MSG91_AUTH_KEY), templateId: required(values.MSG91_TEMPLATE_ID), url: values.MSG91_URL };
  }
  return {
    provider,
    projectId: required(values.FIREBASE_PROJECT_ID),
    apiKey: required(values.FIREBASE_API_KEY),
    // The path of the emulator's API begins with the host of the service. The emulator signs no
    // tokens.
    url: emulator ? `http://${emulator}/identitytoolkit.googleapis.com` : values.FIREBASE_URL,
    keysUrl: emulator ? undefined : values.FIREBASE_KEYS_URL,
  };
}

/** The native apps that may open the links of this site. */
export interface AppSettings {
  android: { packageName: string; fingerprints: readonly string[] } | undefined;
  iosAppId: string | undefined;
}

export const appSettings = ({ ANDROID_APP_ID: packageName, ANDROID_APP_FINGERPRINTS: fingerprints, IOS_APP_ID }: Values): AppSettings => ({
  android: packageName && fingerprints ? { packageName, fingerprints: fingerprints.split(',') } : undefined,
  iosAppId: IOS_APP_ID,
});

interface NotificationSettings {
  authKey: string;
  url: string;
  /** Undefined: no message of this kind is sent. */
  templates: Record<NotificationKind, string | undefined>;
}

/** Returns undefined without a key of MSG91: Firebase sends codes only. */
export function notificationSettings(values: Values): NotificationSettings | undefined {
  if (!values.MSG91_AUTH_KEY) return undefined;
  const templates = {
    placed: values.MSG91_TEMPLATE_PLACED,
    rescheduled: values.MSG91_TEMPLATE_RESCHEDULED,
    attempted: values.MSG91_TEMPLATE_ATTEMPTED,
    weighed: values.MSG91_TEMPLATE_WEIGHED,
    corrected: values.MSG91_TEMPLATE_CORRECTED,
    delivery: values.MSG91_TEMPLATE_DELIVERY,
    redelivery: values.MSG91_TEMPLATE_REDELIVERY,
    delivered: values.MSG91_TEMPLATE_DELIVERED,
    unconfirmed: values.MSG91_TEMPLATE_UNCONFIRMED,
    cancelled: values.MSG91_TEMPLATE_CANCELLED,
    repaid: values.MSG91_TEMPLATE_REPAID,
    voided: values.MSG91_TEMPLATE_VOIDED,
    refunded: values.MSG91_TEMPLATE_REFUNDED,
    paid: values.MSG91_TEMPLATE_PAID,
    reversed: values.MSG91_TEMPLATE_REVERSED,
    recovered: values.MSG91_TEMPLATE_RECOVERED,
    dismissed: values.MSG91_TEMPLATE_DISMISSED,
    answered: values.MSG91_TEMPLATE_ANSWERED,
    settled: values.MSG91_TEMPLATE_SETTLED,
  } satisfies Record<NotificationKind, string | undefined>;
  return { authKey: values.MSG91_AUTH_KEY, url: values.MSG91_URL, templates };
}

type AnalyticsSettings = { kind: 'off' | 'log' } | { kind: 'ga4'; measurementId: string; apiSecret: string; url: string };

export function analyticsSettings(values: Values): AnalyticsSettings {
  const { ANALYTICS: kind } = values;
  if (kind !== 'ga4') return { kind };
  return { kind, measurementId: required(values.GA4_MEASUREMENT_ID), apiSecret: required(values.GA4_API_SECRET), url: values.GA4_URL };
}

type GatewaySettings =
  | { kind: 'off' | 'sandbox' }
  | { kind: 'razorpay'; keyId: string; keySecret: string; webhookSecret: string; url: string; publicUrl: string };

export function gatewaySettings(values: Values): GatewaySettings {
  const kind = gatewayOf(values);
  if (kind !== 'razorpay') return { kind };
  return {
    kind,
    keyId: required(values.RAZORPAY_KEY_ID),
    keySecret: required(values.RAZORPAY_KEY_SECRET),
    webhookSecret: required(values.RAZORPAY_WEBHOOK_SECRET),
    url: values.RAZORPAY_URL,
    publicUrl: required(values.PUBLIC_URL),
  };
}

/**
 * Returns undefined without a UPI address. Only a demonstration has a default one: no bank has the
 * handle 'example', so no money can be lost.
 */
export function upiSettings({ MODE, UPI_VPA, UPI_NAME, BRAND_PROVIDER }: Values): { vpa: string; name: string } | undefined {
  const vpa = UPI_VPA ?? (MODE === 'demo' ? 'laundry@example' : undefined);
  return vpa === undefined ? undefined : { vpa, name: UPI_NAME ?? BRAND_PROVIDER ?? defaultBrand.provider };
}

type PhotoSettings =
  | { kind: 'folder'; folder: string | undefined }
  | { kind: 's3'; url: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string };

export function photoSettings(values: Values): PhotoSettings {
  if (values.PHOTO_STORAGE === 'folder') return { kind: 'folder', folder: values.PHOTO_DIR };
  return {
    kind: 's3',
    url: required(values.S3_URL),
    region: required(values.S3_REGION),
    bucket: required(values.S3_BUCKET),
    accessKeyId: required(values.S3_ACCESS_KEY_ID),
    secretAccessKey: required(values.S3_SECRET_ACCESS_KEY),
  };
}

type BotCheckSettings =
  | { kind: 'altcha' | 'off' }
  | { kind: 'recaptcha'; siteKey: string }
  | { kind: 'turnstile'; siteKey: string; secret: string; url: string };

export function botCheckSettings(values: Values): BotCheckSettings {
  const kind = botCheckOf(values);
  if (kind === 'turnstile') {
    return { kind, siteKey: required(values.TURNSTILE_SITE_KEY), secret: required(values.TURNSTILE_SECRET), url: values.TURNSTILE_URL };
  }
  return kind === 'recaptcha' ? { kind, siteKey: required(values.RECAPTCHA_SITE_KEY) } : { kind };
}

function required(value: string | undefined): string {
  invariant(value, 'missing() has checked the required settings');
  return value;
}
