/** The generated API documentation: /openapi.json for programs and /docs/api for people. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../contract/define-call.ts';
import { escapeHtml } from '../../lib/escape-html.server.ts';
import type { Brand } from '../../shared/brand.ts';
import css from './api-docs.css?raw';
import { folderOf, openApiDocument, wireSchema } from './openapi.server.ts';

type AnyCall = Call<unknown, unknown>;
type Schema = ReturnType<typeof wireSchema>;

const styleHash = createHash('sha256').update(css).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * Registers both routes. Each response is built once, because contracts do not change at run time.
 * The first request builds it: most processes never get one, and it takes time of their start.
 */
export function registerApiDocs(app: FastifyInstance, calls: AnyCall[], brand: Brand) {
  let document: Buffer | undefined;
  let page: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    // 300 kB, whose serialization would take 5 ms of each request.
    document ??= Buffer.from(JSON.stringify(openApiDocument(calls, brand)));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/docs/api', async (_request, reply) => {
    page ??= apiPage(calls, brand.name);
    return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
  });
}

/** One HTML page with an inline style sheet and no script. */
function apiPage(calls: AnyCall[], brand: string): string {
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
<p>Every response is <code>{ "response", "message", "data" }</code>; a failed one also has a stable <code>code</code> and <code>params</code>, the
values of its message. The result of a call has status 200, whether <code>response</code> is
<code>success</code> or not; a protocol error has another status and the same fields. Amounts are rupees, weights kilograms, dates and times
Asia/Kolkata. Paths are served with and without <code>.php</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Folders"><ul>${[...folders.keys()].map((folder) => `<li><a href="#${escapeHtml(folder)}">${escapeHtml(folder)}</a></li>`).join('')}</ul></nav>
${[...folders].map(([folder, callsOfFolder]) => `<section><h2 id="${escapeHtml(folder)}">${escapeHtml(folder)}</h2>${callsOfFolder.map(article).join('')}</section>`).join('\n')}
</main>
</body>
</html>
`;
}

const article = (call: AnyCall) => `
<article>
<h3>${call.method} /${escapeHtml(call.path)}</h3>
<p>${escapeHtml(call.summary)}</p>
<p class="who">For ${escapeHtml(call.caller)}.${call.failure === 'failed' ? ' On failure, <code>response</code> is <code>failed</code> instead of <code>error</code>.' : ''}</p>
${call.method === 'POST' ? fieldTable('Body', wireSchema(call.body)) : ''}
${fieldTable('Data', wireSchema(call.data))}
${errorList(call)}
</article>`;

function errorList({ errors }: AnyCall): string {
  const rows = Object.entries(errors).map(
    ([code, text]) => `<tr><th scope="row">${escapeHtml(code)}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  return rows.length > 0 ? `<h4>Errors</h4><table>${rows.join('')}</table>` : '';
}

function fieldTable(heading: string, schema: Schema): string {
  const fields = schema.type === 'array' ? (schema.items as Schema) : schema;
  const rows = Object.entries(fields.properties ?? {}).map(
    ([name, field]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${describe(field as Schema)}${fields.required?.includes(name) ? '' : ', optional'}</td></tr>`,
  );
  const table = rows.length > 0 ? `<table>${rows.join('')}</table>` : `<p>${describe(schema)}</p>`;
  return `<h4>${heading}${schema.type === 'array' ? ', a list of' : ''}</h4>${table}`;
}

/** Describes a schema in English. Patterns are only in openapi.json. */
function describe(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map((option) => describe(option)).join(' or ');
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
  const min = minLength ?? minimum;
  const max = maxLength ?? maximum;
  return [min === undefined ? '' : `at least ${min}${unit}`, max === undefined ? '' : `at most ${max}${unit}`].filter(Boolean);
}
