import { findLanguage, offeredLanguages } from '../../i18n/catalogues.server.ts';
import { english } from '../../i18n/language.tsx';
import { shownConsent, type ConsentPurpose } from './contract.ts';
import type { NewConsent } from './store.server.ts';

/**
 * Returns the consent that a request expresses. `shown` is the text that its page showed. A caller
 * that sends none, or another one, agreed by its request to the use that the English text
 * describes, and the row states that it may not have read the text (docs/decisions/0115).
 */
export function consentOf(purpose: ConsentPurpose, shown: string | undefined): NewConsent {
  const languages = [english, ...offeredLanguages.map(({ code }) => findLanguage(code))];
  const language = languages.find(({ t }) => shownConsent(t, purpose) === shown);
  const { code, t } = language ?? english;
  return { purpose, text: shownConsent(t, purpose), language: code, isShown: language !== undefined };
}
