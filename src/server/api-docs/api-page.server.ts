/** The calls as a page to read: plain HTML and one inline style sheet, no script. Served at /docs/api. */
import type { Call } from '../../contract/define-call.ts';
import { escapeHtml } from '../../lib/escape-html.server.ts';
import css from './api-page.css?raw';
import { folderOf, wireSchema } from './openapi.server.ts';

type AnyCall = Call<unknown, unknown>;
type Schema = ReturnType<typeof wireSchema>;

export const apiPageStyle: string = css;

export function apiPage(calls: AnyCall[], brand: string): string {
  const folders = Map.groupBy(calls, folderOf);
  const title = `${brand} calls`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>Every answer is <code>{ "response", "message", "data" }</code>; a failed one also has a stable <code>code</code> and <code>params</code>, the
values of its message. Business answers come with status 200, whether <code>response</code> is
<code>success</code> or not; a refusal of the protocol has its own status and the same form. Amounts are rupees, weights kilograms, dates and times
Asia/Kolkata. Paths are served with and without <code>.php</code>. For machines: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Folders"><ul>${[...folders.keys()].map((folder) => `<li><a href="#${escapeHtml(folder)}">${escapeHtml(folder)}</a></li>`).join('')}</ul></nav>
${[...folders].map(([folder, inside]) => `<section><h2 id="${escapeHtml(folder)}">${escapeHtml(folder)}</h2>${inside.map(article).join('')}</section>`).join('\n')}
</main>
</body>
</html>
`;
}

const article = (call: AnyCall) => `
<article>
<h3>${call.method} /${escapeHtml(call.path)}</h3>
<p>${escapeHtml(call.summary)}</p>
<p class="who">For ${escapeHtml(call.caller)}.${call.failure === 'failed' ? ' Says <code>failed</code> where others say <code>error</code>.' : ''}</p>
${call.method === 'POST' ? part('Body', wireSchema(call.body)) : ''}
${part('Data', wireSchema(call.data))}
${errorList(call)}
</article>`;

function errorList({ errors }: AnyCall): string {
  const rows = Object.entries(errors).map(
    ([code, text]) => `<tr><th scope="row">${escapeHtml(code)}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  return rows.length > 0 ? `<h4>Errors</h4><table>${rows.join('')}</table>` : '';
}

function part(heading: string, schema: Schema): string {
  const fields = schema.type === 'array' ? (schema.items as Schema) : schema;
  const rows = Object.entries(fields.properties ?? {}).map(
    ([name, field]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${describe(field as Schema)}${fields.required?.includes(name) ? '' : ', optional'}</td></tr>`,
  );
  const table = rows.length > 0 ? `<table>${rows.join('')}</table>` : `<p>${describe(schema)}</p>`;
  return `<h4>${heading}${schema.type === 'array' ? ', a list of' : ''}</h4>${table}`;
}

/** A field in words; patterns are for machines and stay in openapi.json. */
function describe(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map((one) => describe(one)).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.type === 'array') return `list of ${describe(schema.items as Schema)}`;
  if (schema.properties) {
    const names = Object.keys(schema.properties).map((name) => `<code>${escapeHtml(name)}</code>`);
    return names.length > 0 ? `object with ${names.join(' ')}` : 'an empty object';
  }
  return [[schema.type ?? 'anything'].flat().join(' or '), ...limitsOf(schema)].join(', ');
}

function limitsOf({ minLength, maxLength, minimum, maximum }: Schema): string[] {
  const unit = maxLength === undefined && minLength === undefined ? '' : ' characters';
  const least = minLength ?? minimum;
  const most = maxLength ?? maximum;
  return [least === undefined ? '' : `at least ${least}${unit}`, most === undefined ? '' : `at most ${most}${unit}`].filter(Boolean);
}
