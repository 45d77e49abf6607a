import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import type { EntryContext } from 'react-router';

/**
 * The content of the template that pre-hydration/load-deferred.ts loads after the first paint.
 * React moves links to the head, except those of a noscript element.
 */
export const Deferred = ({ children }: { children: ReactNode }) => <noscript data-deferred="">{children}</noscript>;

/**
 * Replaces the noscript element of `Deferred` with its content. A browser that runs scripts would
 * read that content as text.
 */
export const unwrapDeferred = (html: string) => html.replace(/<noscript data-deferred="">(.*?)<\/noscript>/s, '$1');

/**
 * Returns the script that passes the loaders' data to React Router, and an empty text without data.
 * `<ServerRouter>` would write it at the end of the body, where it would run before the deferred
 * `<Scripts>`, which it depends on.
 */
export async function readRouterData(stream: EntryContext['serverHandoffStream']): Promise<string> {
  if (!stream) return '';
  const data = JSON.stringify(await text(stream)).replaceAll('<', '\\u003c');
  return `{const{streamController:c}=window.__reactRouterContext;c.enqueue(${data});c.close()}`;
}
