/** Every setting of the program, parsed once. An unknown or wrong value stops the start with one clear line. Listed in docs/operations.md. */
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

const schema = z.object({
  MODE: z.enum(['demo', 'live']).default('demo'),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(10),
  DATA_DIR: z.string().min(1).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SECRET: z.string().min(32, 'needs at least 32 bytes').optional(),
  SMS_PROVIDER: z.enum(['outbox', 'msg91', 'firebase']).default('outbox'),
  BOT_CHECK: z.enum(['altcha', 'turnstile', 'recaptcha', 'off']).default('altcha'),
  TRUST_PROXY: z.coerce.number().int().min(0).max(5).default(0),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  BRAND_NAME: z.string().min(1).optional(),
  BRAND_PROVIDER: z.string().min(1).optional(),
  BRAND_EMAIL: z.email().optional(),
  BRAND_MOBILE: z.string().min(5).optional(),
  BRAND_ADDRESS: z.string().min(5).optional(),
});

/** Adapters that later work brings; naming one today must stop the start, not fall back to something else. */
const NOT_BUILT_IN = { SMS_PROVIDER: ['msg91', 'firebase'], BOT_CHECK: ['turnstile', 'recaptcha'] } as const;

export type Settings = Readonly<ReturnType<typeof parseSettings>>;

export class WrongSettings extends Error {
  override name = 'WrongSettings';
}

export function parseSettings(environment: Record<string, string | undefined>) {
  const parsed = schema.safeParse(withoutEmpty(environment));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new WrongSettings(`Wrong settings: ${faults.join('; ')}`);
  }
  const values = parsed.data;
  for (const [name, adapters] of Object.entries(NOT_BUILT_IN)) {
    const chosen = values[name as keyof typeof NOT_BUILT_IN];
    if ((adapters as readonly string[]).includes(chosen)) throw new WrongSettings(`${name}=${chosen} is not available in this version`);
  }
  if (values.MODE === 'live') requireLive(values);
  return {
    mode: values.MODE,
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    dataDir: values.DATA_DIR,
    publicUrl: values.PUBLIC_URL,
    secret: values.SECRET,
    smsProvider: values.SMS_PROVIDER,
    botCheck: values.BOT_CHECK,
    trustProxyHops: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    brand: {
      name: values.BRAND_NAME,
      provider: values.BRAND_PROVIDER,
      email: values.BRAND_EMAIL,
      mobile: values.BRAND_MOBILE,
      address: values.BRAND_ADDRESS,
    },
  };
}

function requireLive(values: z.output<typeof schema>) {
  const missing = [
    values.DATABASE_URL ? '' : 'DATABASE_URL',
    values.PUBLIC_URL?.startsWith('https://') ? '' : 'PUBLIC_URL (https)',
    values.SECRET ? '' : 'SECRET (32 bytes or more)',
    values.SMS_PROVIDER === 'outbox' ? 'SMS_PROVIDER (a real one)' : '',
    values.BOT_CHECK === 'off' ? 'BOT_CHECK (not off)' : '',
  ].filter(Boolean);
  if (missing.length > 0) throw new WrongSettings(`MODE=live needs: ${missing.join(', ')}`);
}

const withoutEmpty = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
