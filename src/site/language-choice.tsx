/** Where the language is chosen: in the bar for whoever reads none of what is shown, in the footer for everyone, below the page where neither is. */
import { use } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { msg } from '../i18n/messages.ts';
import { footerLinkStyles } from '../ui/layout/footer.tsx';
import { showToast, TOAST_MS } from '../ui/feedback/toast.ts';
import { ChooseLanguageContext } from '../browser/language-provider.tsx';
import { useSiteConfig } from '../browser/site-config.ts';

const useAllLanguages = () => [{ code: 'en', name: 'English' }, ...useSiteConfig().languages];

function useChoice() {
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

/** One tap to the first of the other languages, in its own name. */
export function OtherLanguage() {
  const choose = useChoice();
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

export function LanguageBelow() {
  const { t } = useLanguage();
  return (
    <section aria-label={t('Language')} className="pb-6 text-center">
      <OtherLanguage />
    </section>
  );
}

export function LanguageList() {
  const choose = useChoice();
  const { code } = useLanguage();
  return useAllLanguages().map((language) => (
    <button
      key={language.code}
      type="button"
      lang={language.code}
      aria-pressed={language.code === code}
      className={`${footerLinkStyles} w-full text-start aria-pressed:font-semibold aria-pressed:text-ink`}
      onClick={() => choose(language.code)}
    >
      {language.name}
    </button>
  ));
}
