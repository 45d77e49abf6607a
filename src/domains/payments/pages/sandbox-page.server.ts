/**
 * The page of the sandbox gateway. It imitates another site, so that it shares no components with
 * the shop.
 */
import { createHash } from 'node:crypto';
import type { Language } from '../../../i18n/language.tsx';
import { defineMessages } from '../../../i18n/messages.ts';
import { escapeHtml } from '../../../lib/escape-html.server.ts';
import type { Brand } from '../../../shared/brand.ts';

/** The choices of the page and their labels. */
const SANDBOX_CHOICES = defineMessages({ pay: 'Pay', delay: 'Pay, and let the shop wait 20 seconds', fail: 'Fail' });
export const SANDBOX_DELAY_SECONDS = 20;

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.25rem; margin: 0 0 .25rem }
p { margin: 0 0 1rem }
b { display: block; font-size: 2.25rem; font-variant-numeric: tabular-nums; margin: 1rem 0 }
form { display: grid; gap: .75rem }
button { font: inherit; font-weight: 600; min-height: 3.25rem; border-radius: .75rem; border: 1px solid; background: none; color: inherit; cursor: pointer }
button:first-child { background: #14532d; border-color: #14532d; color: #fff }
button:focus-visible { outline: 3px solid; outline-offset: 3px }`;

export const sandboxPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

interface SandboxPage {
  brand: Brand;
  language: Language;
  path: string;
  amountPaise: number;
}

export const sandboxPage = ({ brand, language: { code, t, rupees }, path, amountPaise }: SandboxPage): string => `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t('Sandbox payment')}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${t('Sandbox payment')}</h1>
<p>${t('This is a demonstration: no money moves. Choose what happens to the payment to {brand}.', { brand: escapeHtml(brand.name) })}</p>
<b>${rupees(amountPaise)}</b>
<form method="post">
${Object.entries(SANDBOX_CHOICES)
  .map(([choice, label]) => `<button type="submit" formaction="${escapeHtml(path)}/${choice}">${t(label)}</button>`)
  .join('\n')}
</form>
</main>
</body>
</html>
`;
