/**
 * What differs from one installation to the next and is public: the brand and the ways the site is run. The server sets it once at start and writes
 * it into every document as JSON; browsers read it from there.
 */
import type { OfferedLanguage } from '../i18n/translation.ts';
import type { Brand } from './brand.ts';

export interface Site {
  brand: Brand;
  /** A demonstration: the footer says so and the code screens link to the outbox. */
  demo: boolean;
  /** Which check tells browsers from bots, with the public key of a hosted one. */
  botCheck: { kind: 'altcha' | 'off' } | { kind: 'turnstile' | 'recaptcha'; siteKey: string };
  /** Whether visits are counted, of those who agree. */
  counting: boolean;
  /** Besides English. */
  languages: readonly OfferedLanguage[];
}

export const SITE_ELEMENT_ID = 'site';

/** Without a value of its own until the start or the document gives one: browsers need not load what is never shown. */
let current: Site | undefined;

if (typeof document !== 'undefined') {
  const text = document.getElementById(SITE_ELEMENT_ID)?.textContent;
  if (text) current = JSON.parse(text) as Site;
}

export const site = (): Site => current!;

/** Called once, by the program's start. */
export function configureSite(configured: Site) {
  current = configured;
}
