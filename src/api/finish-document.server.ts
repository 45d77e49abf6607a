/** What is done to every document after React has written it: its style sheet cut to what it shows, its policy made, what search engines and chats read added. */
import { createHash } from 'node:crypto';
import { criticalCss } from './critical-css.server.ts';
import { site } from '../web/site.ts';
import { sharingTags } from './sharing.server.ts';
import { documentPolicy, type OutsideSources } from './security-headers.server.ts';

export interface Finishing {
  outsideSources: OutsideSources;
  /** PUBLIC_URL, where it is known. */
  publicUrl: string | undefined;
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Only scripts and styles that carry this rendering's random nonce are ours: their hashes go into the policy and the nonce goes out of the document, so
 * the bytes are the same for everyone. Hashing every inline script found would bless an injected one.
 */
export function finishDocument(
  rendered: string,
  { path, language, nonce, outsideSources, publicUrl }: Finishing & { path: string; language: string; nonce: string },
): { html: string; headers: Record<string, string> } {
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const marked = new RegExp(`<(script|style)([^>]*) nonce="${nonce.replaceAll(/[+/=]/g, '\\$&')}"([^>]*)>([\\s\\S]*?)</\\1>`, 'g');
  let sheet: string | undefined;
  const html = rendered
    .replace(marked, (_all, tag: 'script' | 'style', before: string, after: string, content: string) => {
      const whole = tag === 'style' ? WHOLE_SHEET.exec(before + after)?.[1] : undefined;
      if (whole) sheet = whole;
      const kept = whole ? cut(content, rendered) : content;
      if (kept && !/ src=/.test(before + after)) hashes[tag].add(sha256(kept));
      return `<${tag}${before}${after}>${kept}</${tag}>`;
    })
    // The first paint needs no script; fetching them early only delays it (measured with Lighthouse).
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace('</head>', () => `${catalogueTag(language)}${sharingTags(rendered, { path, language, publicUrl })}</head>`)
    .replace('</body>', () => `${sheet ? `<link rel="stylesheet" href="${sheet}">` : ''}</body>`);
  const hidden = NOINDEX.test(html);
  return {
    html,
    headers: {
      'content-security-policy': documentPolicy([...hashes.script], [...hashes.style], outsideSources),
      ...(hidden && { 'x-robots-tag': 'noindex' }),
    },
  };
}

/** What the document is written in has to be there before its scripts take it over: it is fetched beside them (web/speaking.tsx). */
function catalogueTag(language: string): string {
  const offered = site().languages.find(({ code }) => code === language);
  return offered ? `<link rel="preload" as="fetch" crossorigin href="${offered.catalogue}">` : '';
}

const WHOLE_SHEET = /\sdata-whole="([^"]+)"/;
const NOINDEX = /<meta name="robots" content="noindex"/;

let known: { sheet: string; pick(html: string): string } | undefined;

/** There is one sheet: it is read once. */
function cut(sheet: string, html: string): string {
  if (known?.sheet !== sheet) known = { sheet, pick: criticalCss(sheet) };
  return known.pick(html);
}
