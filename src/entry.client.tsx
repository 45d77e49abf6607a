import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { english, type Language } from './i18n/language.tsx';
import { showScriptFailedNotice } from './pre-hydration/handshake.ts';
import { fetchLanguage, LanguageProvider } from './browser/language-provider.tsx';
import { readSiteConfig, SiteConfigContext } from './shared/site-config.ts';

const site = readSiteConfig();

const hydrate = (initial: Language) =>
  startTransition(() => {
    hydrateRoot(
      document,
      <SiteConfigContext value={site}>
        <LanguageProvider initial={initial}>
          <HydratedRouter />
        </LanguageProvider>
      </SiteConfigContext>,
    );
  });

const { lang } = document.documentElement;
if (lang === english.code) hydrate(english);
// Hydration needs the texts of the document's language.
else fetchLanguage(lang, site.languages).then(hydrate, showScriptFailedNotice);
