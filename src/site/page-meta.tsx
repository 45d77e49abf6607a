import { isRouteErrorResponse, useMatches, useRouteError } from 'react-router';
import type { MessageKey } from '../i18n/messages.ts';
import { useLanguage, type Translate } from '../i18n/language.tsx';
import type { Brand } from '../shared/brand.ts';
import type { ParamsHandle } from '../shared/page-params.ts';
import { useSiteConfig, type SiteConfig } from '../shared/site-config.ts';

type Meta = readonly ({ title: string } | { name: string; content: string })[];

/**
 * The `handle` of a route module that has a title. It replaces the router's `meta` export, which
 * cannot be translated.
 */
export interface PageHandle extends ParamsHandle {
  meta(t: Translate, site: SiteConfig): Meta;
}

/** The title of a page other than home: 'Your orders · Dhulai'. */
export const pageTitle = (title: string, { name }: Brand) => `${title} · ${name}`;

/** A page for one customer or one visit, which search engines must not list. */
export const unindexedPage = (title: MessageKey): PageHandle => ({
  meta: (t, { brand }) => [{ title: pageTitle(t(title), brand) }, { name: 'robots', content: 'noindex' }],
});

/** For unknown addresses, and for a code or an order that does not exist. */
export const notFoundHandle: PageHandle = { meta: (t) => [{ title: t('404 not found') }, { name: 'robots', content: 'noindex' }] };

/**
 * Returns the metadata of the innermost route that has some. `handles` belong to the matched
 * routes, outermost first. A 404 has the metadata of the not-found page, any other error those of
 * the site.
 */
export function pageMeta(handles: readonly unknown[], error: unknown, t: Translate, site: SiteConfig): Meta {
  const pages = handles as readonly (PageHandle | undefined)[];
  const errorHandle = isRouteErrorResponse(error) && error.status === 404 ? notFoundHandle : pages[0];
  return (error ? errorHandle : pages.findLast((handle) => handle?.meta))?.meta(t, site) ?? [];
}

/** Title, description and robots metadata of the current page. */
export function PageMeta() {
  const { t } = useLanguage();
  const site = useSiteConfig();
  const error = useRouteError();
  const handles = useMatches().map(({ handle }) => handle);
  return pageMeta(handles, error, t, site).map((entry) =>
    'title' in entry ? <title key="title">{entry.title}</title> : <meta key={entry.name} name={entry.name} content={entry.content} />,
  );
}
