/** What a page says about itself to browsers and search engines, in the language of the document. In place of the router's `meta`, which knows no language. */
import { useMatches, useRouteError } from 'react-router';
import type { Translate } from '../languages/text.ts';
import { useLanguage } from '../languages/language.tsx';

/** The `handle` of a route module that has a title. */
export interface PageHandle {
  meta(t: Translate): readonly ({ title: string } | { name: string; content: string })[];
}

export function PageMeta() {
  const { t } = useLanguage();
  const failed = Boolean(useRouteError());
  const handles = useMatches().map(({ handle }) => handle as PageHandle | undefined);
  // A page that could not be shown has the title of the site, as its words are the site's.
  const told = (failed ? handles[0] : handles.findLast((handle) => handle?.meta))?.meta(t) ?? [];
  return told.map((fact) =>
    'title' in fact ? <title key="title">{fact.title}</title> : <meta key={fact.name} name={fact.name} content={fact.content} />,
  );
}
