/** /openapi.json and /docs/api. Both are made once: the contracts do not change while the program runs. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../contract/define-call.ts';
import type { Brand } from '../../browser/brand.ts';
import { apiPage, apiPageStyle } from './api-page.server.ts';
import { openApiDocument } from './openapi.server.ts';

const styleHash = createHash('sha256').update(apiPageStyle).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;

export function apiDocs(app: FastifyInstance, calls: Call<unknown, unknown>[], brand: Brand) {
  const document = openApiDocument(calls, brand);
  const page = apiPage(calls, brand.name);
  app.get('/openapi.json', async () => document);
  app.get('/docs/api', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page),
  );
}
