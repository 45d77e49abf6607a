/** What is done to every document after React has written it: its style sheet cut to what it shows, its policy made, what search engines and chats read added. */
import { createHash } from 'node:crypto';
import icon from '../../../public/favicon.svg?inline';
import { criticalCss } from './critical-css.server.ts';
import { AFTER_FIRST_PAINT_ID, ENTRY_ID } from '../../pre-hydration/first-paint.ts';
import type { SiteConfig } from '../../browser/site-config.ts';
import { sharingTags } from './sharing-metadata.server.ts';
import { documentPolicy, type OutsideSources } from '../http/security-headers.server.ts';

export interface Finishing {
  outsideSources: OutsideSources;
  /** PUBLIC_URL, where it is known. */
  publicUrl: string | undefined;
  site: SiteConfig;
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Only scripts and styles that carry this rendering's random nonce are ours: their hashes go into the policy and the nonce goes out of the document, so
 * the bytes are the same for everyone. Hashing every inline script found would bless an injected one.
 */
export function finishDocument(
  rendered: string,
  { path, language, nonce, outsideSources, publicUrl, site }: Finishing & { path: string; language: string; nonce: string },
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
    .replaceAll(MODULE_PRELOAD, '')
    .replace(ENTRY, `<script type="text/plain" id="${ENTRY_ID}">`)
    .replace('</head>', () => `${ICONS}${sharingTags(rendered, { path, language, publicUrl, brand: site.brand })}</head>`)
    .replace('</body>', () => `${afterFirstPaint(rendered, { sheet, language, site })}</body>`);
  const hidden = NOINDEX.test(html);
  return {
    html,
    headers: {
      'content-security-policy': documentPolicy([...hashes.script], [...hashes.style], outsideSources),
      ...(hidden && { 'x-robots-tag': 'noindex' }),
    },
  };
}

/**
 * What the first paint does not need waits in the document until before-scripts.ts wakes it: fetched earlier it would only delay that paint (measured with
 * Lighthouse). Then all of it is fetched at once: the whole sheet, the scripts, and the texts of the document's language, which have to be there before the
 * scripts take it over (browser/language-provider.tsx).
 */
function afterFirstPaint(
  rendered: string,
  { sheet, language, site }: { sheet: string | undefined; language: string; site: SiteConfig },
): string {
  const wholeSheet = sheet ? `<link rel="stylesheet" href="${sheet}">` : '';
  const offered = site.languages.find(({ code }) => code === language);
  const catalogue = offered ? `<link rel="preload" as="fetch" crossorigin href="${offered.catalogue}">` : '';
  const scripts = Array.from(rendered.matchAll(MODULE_PRELOAD), ([, href]) => `<link rel="modulepreload" href="${href}">`).join('');
  return `<template id="${AFTER_FIRST_PAINT_ID}">${wholeSheet}${catalogue}${scripts}${INSTALLED}</template><noscript>${wholeSheet}</noscript>`;
}

/** Browsers take the drawing, which costs no request; search engines want a file. */
const ICONS = `<link rel="icon" href="${icon}" type="image/svg+xml" sizes="any"><link rel="icon" href="/icons/192.png" type="image/png" sizes="192x192"><link rel="apple-touch-icon" href="/icons/touch.png">`;
const INSTALLED = '<link rel="manifest" href="/manifest.webmanifest">';
const MODULE_PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
/** The page's own scripts, as React Router writes them. */
const ENTRY = '<script type="module" async="">';
const WHOLE_SHEET = /\sdata-whole="([^"]+)"/;
const NOINDEX = /<meta name="robots" content="noindex"/;

let known: { sheet: string; pick(html: string): string } | undefined;

/** There is one sheet: it is read once. */
function cut(sheet: string, html: string): string {
  if (known?.sheet !== sheet) known = { sheet, pick: criticalCss(sheet) };
  return known.pick(html);
}
