import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { english, type Language } from './i18n/language.tsx';
import { showScriptFailed } from './pre-hydration/script-loading.tsx';
import { fetchLanguage, Speaking } from './browser/language-provider.tsx';
import { readSiteConfig, SiteConfigContext } from './browser/site-config.ts';

const site = readSiteConfig();

const start = (first: Language) =>
  startTransition(() => {
    hydrateRoot(
      document,
      <SiteConfigContext value={site}>
        <Speaking first={first}>
          <HydratedRouter />
        </Speaking>
      </SiteConfigContext>,
    );
  });

const { lang } = document.documentElement;
if (lang === english.code) start(english);
// What the document is written in has to be here before its scripts take it over.
else fetchLanguage(lang, site.languages).then(start, showScriptFailed);
