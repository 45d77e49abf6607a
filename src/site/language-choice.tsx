/**
 * The language controls: a button in the app bar, a list in the footer, and a section below pages
 * that have neither.
 */
import { use } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { msg } from '../i18n/messages.ts';
import { footerLinkStyles } from '../ui/layout/footer.tsx';
import { showToast, TOAST_MS } from '../ui/feedback/toast.ts';
import { ChooseLanguageContext } from '../browser/choose-language.ts';
import { useSiteConfig } from '../shared/site-config.ts';

const useAllLanguages = () => [{ code: 'en', name: 'English' }, ...useSiteConfig().languages];

/** Returns a function that changes the language, and shows a toast if that fails. */
function useChooseLanguage() {
  const choose = use(ChooseLanguageContext);
  return (code: string) => {
    choose(code).catch(() =>
      showToast({
        text: msg('We could not reach the server, please check your connection and try again'),
        theme: 'red',
        durationMs: TOAST_MS.long,
      }),
    );
  };
}

/** A button that switches to the first other language, labelled in that language. */
export function OtherLanguage() {
  const choose = useChooseLanguage();
  const { code } = useLanguage();
  const other = useAllLanguages().find((language) => language.code !== code);
  return (
    other && (
      <button
        type="button"
        lang={other.code}
        className="min-h-11 min-w-11 shrink-0 rounded-full px-1.5 text-sm font-semibold text-accent-ink transition-colors hover:bg-sunk sm:px-3"
        onClick={() => choose(other.code)}
      >
        {other.name}
      </button>
    )
  );
}

export function LanguageSection() {
  const { t } = useLanguage();
  return (
    <section aria-label={t('Language')} className="pb-6 text-center">
      <OtherLanguage />
    </section>
  );
}

export function LanguageList() {
  const choose = useChooseLanguage();
  const { code } = useLanguage();
  return useAllLanguages().map((language) => (
    <button
      key={language.code}
      type="button"
      lang={language.code}
      aria-pressed={language.code === code}
      className={`${footerLinkStyles} text-start lg:w-full aria-pressed:font-semibold aria-pressed:text-ink`}
      onClick={() => choose(language.code)}
    >
      {language.name}
    </button>
  ));
}
