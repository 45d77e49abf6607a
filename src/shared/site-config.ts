/**
 * The public configuration of one installation. The server composes it from the settings and
 * writes it into every document as JSON; entry.client.tsx reads that JSON once. Components read it
 * with `useSiteConfig`.
 */
import { createContext, use } from 'react';
import { invariant } from '../lib/invariant.ts';
import type { OfferedLanguage } from '../i18n/translation.ts';
import type { Paise } from '../lib/money.ts';
import type { Brand } from './brand.ts';

export interface SiteConfig {
  brand: Brand;
  /** A demonstration: the footer mentions it and the code screens link to the outbox. */
  demo: boolean;
  botCheck: BotCheckConfig;
  /** Whether page views are counted for visitors who consent. */
  counting: boolean;
  /** When a referrer gets the bonus. */
  referralBonusTime: 'sign-up' | 'first-delivery';
  /** The maximum that the laundry pays for a lost or ruined piece. */
  maxCompensationPaise: Paise;
  /** All languages except English. */
  languages: readonly OfferedLanguage[];
}

/** The bot check, with the public key of a hosted one. */
export type BotCheckConfig = { kind: 'altcha' | 'off' } | { kind: 'turnstile' | 'recaptcha'; siteKey: string };

export const SITE_ELEMENT_ID = 'site';

export const SiteConfigContext = createContext<SiteConfig | undefined>(undefined);

/** Throws outside `SiteConfigContext`. */
export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  invariant(config, 'no site');
  return config;
}

/** Reads the configuration that the server wrote into this document. Throws without it. */
export const readSiteConfig = (): SiteConfig => JSON.parse(document.getElementById(SITE_ELEMENT_ID)?.textContent ?? '') as SiteConfig;

/** Returns the text of a script element with the configuration: no `<` can end that element. */
export const siteConfigJson = (config: SiteConfig) => JSON.stringify(config).replace(/</g, '\\u003c');
