/** The texts to which customers and guests agree. docs/decisions/0115. */
import { defineMessages } from '../../i18n/messages.ts';
import type { Translate } from '../../i18n/language.tsx';

/** A changed text is another consent. The stored rows keep the earlier one. */
export const CONSENT_TEXTS = defineMessages({
  account:
    'By signing up you agree that we use your name, number and addresses to collect, wash and return your clothes, as the {policy} says.',
  order: 'By ordering you agree that we use your name, number and address to collect, wash and return your clothes, as the {policy} says.',
});

export type ConsentPurpose = keyof typeof CONSENT_TEXTS;

/** The text as a page shows it. The page sends it with the request. */
export const shownConsent = (t: Translate, purpose: ConsentPurpose): string => t(CONSENT_TEXTS[purpose], { policy: t('privacy policy') });
