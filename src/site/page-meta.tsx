/** What a page says about itself to browsers and search engines, in the language of the document. In place of the router's `meta`, which knows no language. */
import { isRouteErrorResponse, useMatches, useRouteError } from 'react-router';
import type { Translate } from '../i18n/messages.ts';
import { useLanguage } from '../i18n/language.tsx';
import { useSiteConfig, type SiteConfig } from '../browser/site-config.ts';

/** The `handle` of a route module that has a title. */
export interface PageHandle {
  meta(t: Translate, site: SiteConfig): readonly ({ title: string } | { name: string; content: string })[];
}

/** What is not there says so in the title, too: a route of its own for most addresses, an error where a code or order was looked for and not found. */
export const notFoundHandle: PageHandle = { meta: (t) => [{ title: t('404 not found') }, { name: 'robots', content: 'noindex' }] };

export function PageMeta() {
  const { t } = useLanguage();
  const site = useSiteConfig();
  const error = useRouteError();
  const handles = useMatches().map(({ handle }) => handle as PageHandle | undefined);
  // A page that could not be shown has the title of the site, as its words are the site's.
  const failed = isRouteErrorResponse(error) && error.status === 404 ? notFoundHandle : handles[0];
  const told = (error ? failed : handles.findLast((handle) => handle?.meta))?.meta(t, site) ?? [];
  return told.map((fact) =>
    'title' in fact ? <title key="title">{fact.title}</title> : <meta key={fact.name} name={fact.name} content={fact.content} />,
  );
}
