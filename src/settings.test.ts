import { describe, expect, test } from 'vitest';
import { hostedChecks } from './domains/bot-check/contract.ts';
import { externalSources } from './compose/services.server.ts';
import { findLanguage } from './i18n/catalogues.server.ts';
import { brandOf, defaultBrand, officeAddress } from './shared/brand.ts';
import { documentPolicy } from './security/security-headers.server.ts';
import { parseSettings, InvalidSettings } from './settings.server.ts';

const live = {
  MODE: 'live',
  DATABASE_URL: 'postgres://db.example/laundry',
  PUBLIC_URL: 'https://laundry.example',
  SECRET: 'a secret of the tests, 32 bytes or more',
  TRUST_PROXY: '1',
  BRAND_EMAIL: 'help@laundry.example',
  BRAND_MOBILE: '+91 98765 00000',
  BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
};
const msg91 = { SMS_PROVIDER: 'msg91', MSG91_AUTH_KEY: 'key', MSG91_TEMPLATE_ID: 'template' };
const firebase = { SMS_PROVIDER: 'firebase', FIREBASE_PROJECT_ID: 'laundry', FIREBASE_API_KEY: 'key' };
const recaptcha = { BOT_CHECK: 'recaptcha', RECAPTCHA_SITE_KEY: 'public' };
const turnstile = { BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'public', TURNSTILE_SECRET: 'secret' };
const s3 = {
  PHOTO_STORAGE: 's3',
  S3_URL: 'https://s3.example',
  S3_REGION: 'ap-south-1',
  S3_BUCKET: 'photos',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};
const emulator = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' };

test.each([
  [
    { MODE: 'live', BOT_CHECK: 'off' },
    'MODE=live needs: DATABASE_URL, PUBLIC_URL (https), SECRET (32 bytes or more), TRUST_PROXY (the number of proxies, or 0), SMS_PROVIDER (a real one), BOT_CHECK (not off), BRAND_EMAIL, BRAND_MOBILE, BRAND_ADDRESS',
  ],
  [{ SMS_PROVIDER: 'msg91' }, 'SMS_PROVIDER=msg91 needs: MSG91_AUTH_KEY, MSG91_TEMPLATE_ID, PUBLIC_URL'],
  [{ ...live, ...msg91, MSG91_TEMPLATE_ID: '' }, 'SMS_PROVIDER=msg91 needs: MSG91_TEMPLATE_ID'],
  [
    { ...live, SMS_PROVIDER: 'firebase' },
    'SMS_PROVIDER=firebase needs: FIREBASE_PROJECT_ID, FIREBASE_API_KEY; BOT_CHECK=recaptcha needs: RECAPTCHA_SITE_KEY',
  ],
  [{ ...live, ...msg91, BOT_CHECK: 'turnstile' }, 'BOT_CHECK=turnstile needs: TURNSTILE_SITE_KEY, TURNSTILE_SECRET'],
  [{ ...live, ...msg91, ...recaptcha }, 'BOT_CHECK=recaptcha needs SMS_PROVIDER=firebase'],
  [{ ...live, ...firebase, ...turnstile }, 'SMS_PROVIDER=firebase needs BOT_CHECK=recaptcha (or off, with the emulator)'],
  [{ ...firebase, BOT_CHECK: 'off' }, 'SMS_PROVIDER=firebase needs BOT_CHECK=recaptcha (or off, with the emulator)'],
  [{ ...firebase, ...emulator, BOT_CHECK: 'altcha' }, 'SMS_PROVIDER=firebase needs BOT_CHECK=recaptcha (or off, with the emulator)'],
  [{ ...live, ...firebase, ...recaptcha, ...emulator }, 'FIREBASE_AUTH_EMULATOR_HOST is for demonstrations only'],
  [{ DATABASE_DIRECT_URL: 'postgres://one.example/laundry' }, 'DATABASE_DIRECT_URL needs DATABASE_URL'],
  [
    { DATABASE_URL: 'postgres://one.example/drill', DATABASE_DIRECT_URL: 'postgres://two.example/laundry' },
    'DATABASE_URL and DATABASE_DIRECT_URL name different databases: set both, or only DATABASE_URL',
  ],
  [
    { PORT: 'abc', TRUST_PROXY: 'yes', LOG_SUCCESSES: '2' },
    "PORT: must be a whole number from 0 to 65535, not 'abc'; TRUST_PROXY: must be a whole number from 0 to 5, not 'yes'; LOG_SUCCESSES: must be a number from 0 to 1, not '2'",
  ],
  [{ DATABASE_POOL: '1.5' }, "DATABASE_POOL: must be a whole number from 2 to 100, not '1.5'"],
  [{ BRAND_ADDRESS: 'Shop' }, 'BRAND_ADDRESS: needs at least 5 characters: put a value with spaces between single quotes'],
  [
    { BRAND_MOBILE: '+91' },
    "BRAND_MOBILE: must be a telephone number, such as '+91 98765 00000': put a value with spaces between single quotes",
  ],
  [{ ...live, ...msg91, MSG91_URL: 'http://sms.example' }, 'MODE=live needs https in MSG91_URL'],
  [{ ...live, ...msg91, TRUST_PROXY: '' }, 'MODE=live needs: TRUST_PROXY (the number of proxies, or 0)'],
  [{ ...live, ...msg91, TRUST_PROXY: ' \t' }, 'MODE=live needs: TRUST_PROXY (the number of proxies, or 0)'],
  [
    { TRUST_PROXY: '0x1', PORT: '1e3', DATABASE_POOL: '+5', ORDERS_A_DAY: '7.0', DRAIN_SECONDS: '2.', LOG_SUCCESSES: ' 1' },
    "PORT: must be a whole number from 0 to 65535, not '1e3'; DATABASE_POOL: must be a whole number from 2 to 100, not '+5'; ORDERS_A_DAY: must be a whole number from 1 to 100000, not '7.0'; TRUST_PROXY: must be a whole number from 0 to 5, not '0x1'; DRAIN_SECONDS: must be a number from 0 to 60, not '2.'; LOG_SUCCESSES: must be a number from 0 to 1, not ' 1'",
  ],
  [{ ...live, ...msg91, BRAND_MOBILE: '+91 00000 00000' }, 'MODE=live needs: BRAND_MOBILE'],
  [{ PHOTO_STORAGE: 's3', S3_BUCKET: 'photos' }, 'PHOTO_STORAGE=s3 needs: S3_URL, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
  [{ ...live, ...msg91, ...s3, S3_URL: 'http://s3.example' }, 'MODE=live needs https in S3_URL'],
  [{ ...s3, S3_BUCKET: '../other' }, 'S3_BUCKET: must be the name of a bucket'],
  [{ BRAND_WHATSAPP_NUMBER: '+91 1' }, 'BRAND_WHATSAPP_NUMBER: must be digits with the country code'],
  [{ ANDROID_APP_ID: 'laundry.app' }, 'ANDROID_APP_ID and ANDROID_APP_FINGERPRINTS need each other'],
  [
    { ANDROID_APP_ID: 'laundry.app', ANDROID_APP_FINGERPRINTS: 'AB:CD' },
    'ANDROID_APP_FINGERPRINTS: must be SHA-256 fingerprints with colons, separated by commas',
  ],
  [{ ANDROID_APP_ID: 'laundry' }, 'ANDROID_APP_ID: must be a package name'],
  [{ IOS_APP_ID: 'laundry.app' }, 'IOS_APP_ID: must be team.bundle'],
  [{ FIREBASE_AUTH_EMULATOR_HOST: 'http://localhost' }, 'FIREBASE_AUTH_EMULATOR_HOST: must be host:port'],
])('rejects %o with one line', (environment, line) => {
  expect(errorLine(environment)).toBe(`Invalid settings: ${line}`);
});

function errorLine(environment: Record<string, string>) {
  try {
    parseSettings(environment);
  } catch (error) {
    return error instanceof InvalidSettings ? error.message : error;
  }
}

describe('valid settings', () => {
  test.each([
    [{}, 'outbox', 'altcha'],
    [{ ...live, ...msg91 }, 'msg91', 'altcha'],
    [{ ...live, ...msg91, TRUST_PROXY: '0' }, 'msg91', 'altcha'],
    [{ ...live, ...msg91, ...turnstile, ...s3 }, 'msg91', 'turnstile'],
    [{ ...live, ...firebase, RECAPTCHA_SITE_KEY: 'public' }, 'firebase', 'recaptcha'],
    [{ ...firebase, ...emulator, BOT_CHECK: 'off' }, 'firebase', 'off'],
  ])('accepts %o', (environment, provider, kind) => {
    const settings = parseSettings(environment);
    expect([settings.sms.provider, settings.botCheck.kind]).toEqual([provider, kind]);
  });

  test('requires signed tokens of Firebase, except of the emulator', () => {
    const keysUrlOf = (environment: Record<string, string>) => {
      const { sms } = parseSettings(environment);
      return sms.provider === 'firebase' ? sms.keysUrl : 'not firebase';
    };
    expect(keysUrlOf({ ...live, ...firebase, ...recaptcha })).toMatch(/^https:\/\/www\.googleapis\.com\//);
    expect(keysUrlOf({ ...firebase, ...recaptcha, ...emulator })).toBeUndefined();
  });
});

test('a number may have decimals where it need not be whole; a blank value is the default', () => {
  const { drainSeconds, loggedSuccesses, port } = parseSettings({ DRAIN_SECONDS: '2.5', LOG_SUCCESSES: '.05', PORT: ' ' });
  expect([drainSeconds, loggedSuccesses, port]).toEqual([2.5, 0.05, 3000]);
});

describe('the content security policy of documents', () => {
  const policy = (environment: Record<string, string>) => documentPolicy(["'sha256-x'"], [], externalSources(parseSettings(environment)));

  test.each([{}, { BOT_CHECK: 'off' }, { ...live, ...msg91 }])('allows only its own origin with %o', (environment) => {
    expect(policy(environment)).not.toMatch(/https?:|frame-src/);
    expect(policy(environment)).toContain("script-src 'self' 'sha256-x';");
  });

  test.each([
    ['turnstile', { ...live, ...msg91, ...turnstile }],
    ['recaptcha', { ...live, ...firebase, ...recaptcha }],
  ] as const)('allows only the scripts and frames of %s in addition', (kind, environment) => {
    const { scriptSources, frameSources } = hostedChecks[kind];
    expect(policy(environment)).toContain(`script-src 'self' 'sha256-x' ${scriptSources.join(' ')};`);
    expect(policy(environment)).toContain(`frame-src ${frameSources.join(' ')};`);
    const rest = policy(environment)
      .split('; ')
      .filter((directive) => !/^(?:script|frame)-src/.test(directive));
    expect(rest).toEqual(
      policy({})
        .split('; ')
        .filter((directive) => !directive.startsWith('script-src')),
    );
  });
});

test('each social and store link has a setting; the others have a default in a demonstration and none in live mode', () => {
  const environment = {
    BRAND_FACEBOOK_URL: 'https://facebook.example/laundry',
    BRAND_INSTAGRAM_URL: 'https://instagram.example/laundry',
    BRAND_WHATSAPP_NUMBER: '919876543210',
    BRAND_ANDROID_URL: 'https://play.example/laundry',
    BRAND_IOS_URL: 'https://apps.example/laundry',
  };
  const { social, stores } = brandOf(parseSettings(environment));
  expect(new Set([...Object.values(social), ...Object.values(stores)])).toEqual(new Set(Object.values(environment)));
  expect(brandOf(parseSettings({ BRAND_NAME: 'Dhobi' }))).toEqual({ ...defaultBrand, name: 'Dhobi' });
  const live = { ...parseSettings({ BRAND_WHATSAPP_NUMBER: '919876543210' }), mode: 'live' } as const;
  expect(brandOf(live)).toEqual({ ...defaultBrand, social: { chatNumber: '919876543210' }, stores: {} });
});

test.each([
  [{}, 'Vatika India Next, Gurugram, Haryana 122052', 'वाटिका इंडिया नेक्स्ट, गुरुग्राम, हरियाणा 122052'],
  [{ BRAND_ADDRESS: 'Shop 4, Sector 83' }, 'Shop 4, Sector 83', 'Shop 4, Sector 83'],
  [{ BRAND_ADDRESS: 'Shop 4, Sector 83', BRAND_ADDRESS_HI: 'दुकान 4, सेक्टर 83' }, 'Shop 4, Sector 83', 'दुकान 4, सेक्टर 83'],
])('officeAddress of %o returns %s in English and %s in Hindi', (environment, inEnglish, inHindi) => {
  const brand = brandOf(parseSettings(environment));
  expect([officeAddress(brand, findLanguage('en')), officeAddress(brand, findLanguage('hi'))]).toEqual([inEnglish, inHindi]);
});
