/** The HTML of /outbox, a tool of the demonstration that shares no code with the site's pages. */
import { createHash } from 'node:crypto';
import { kolkataDateTime } from '../../../lib/dates.ts';
import type { Language } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import type { Brand } from '../../../shared/brand.ts';
import { escapeHtml } from '../../../lib/escape-html.server.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { font-size: 1.5rem; margin: 0 0 .25rem }
p { margin: 0 0 1rem }
ol { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .75rem }
li { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .75rem; padding: .75rem 1rem }
header { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap }
b { font-size: 1.5rem; letter-spacing: .15em; font-variant-numeric: tabular-nums }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 0 }
time { opacity: .75 }`;

export const outboxPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const REFRESH_SECONDS = 4;

const EXPLANATION = msg(
  'This is a demonstration: no SMS is sent, it is shown here instead. Codes that this browser asked for and messages about the orders of its session, newest first; the page refreshes itself.',
);

export interface ShownMessage {
  mobile: string;
  text: string;
  code: string | null;
  sent_at: Date | null;
}

/** The page is in the language of the visitor, the messages as they would be sent. */
export function outboxPage(messages: readonly ShownMessage[], brand: Brand, language: Language): string {
  const { code, t } = language;
  return `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>${t('Outbox')} - ${escapeHtml(brand.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${t('Outbox')}</h1>
<p>${t(EXPLANATION)}</p>
${messages.length > 0 ? `<ol>\n${messages.map((message) => messageItemHtml(message, language)).join('\n')}\n</ol>` : `<p>${t('There is no message yet.')}</p>`}
</main>
</body>
</html>
`;
}

const messageItemHtml = ({ mobile, text, code, sent_at }: ShownMessage, { t }: Language) => `<li>
<header><span>${t('To +91 {mobile}', { mobile: escapeHtml(mobile) })}</span><time>${sent_at ? kolkataDateTime(sent_at) : ''}</time></header>
${code ? `<b>${escapeHtml(code)}</b>` : ''}
<pre lang="en">${escapeHtml(text)}</pre>
</li>`;
