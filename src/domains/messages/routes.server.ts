/**
 * /outbox and /outbox.json: the messages that a demonstration would have sent by SMS. Not
 * registered in live mode.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand } from '../../shared/brand.ts';
import { isMobile } from '../../lib/mobile.ts';
import { defineErrors } from '../../contract/errors.ts';
import { fail } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import { isLoopback } from '../../security/client-network.server.ts';
import { outboxPage, outboxPolicy } from './pages/outbox.server.ts';
import { sentMessages } from './store.server.ts';

export interface OutboxOptions {
  db: Db;
  brand: Brand;
  /**
   * Identifies the browser by its cookie. Remote visitors see only the messages that their browser
   * requested.
   */
  browserHashOf(request: FastifyRequest): Buffer | undefined;
}

const MAX_MESSAGES = 50;

const outboxError = defineErrors({
  'outbox-not-local': 'The outbox is read on the machine itself',
  'outbox-mobile': 'mobile must be ten digits',
});

export function outboxRoutes(app: FastifyInstance, { db, brand, browserHashOf }: OutboxOptions) {
  app.get('/outbox', async (request, reply) => {
    const showsAll = isLoopback(request);
    const browserHash = browserHashOf(request);
    const messages = showsAll || browserHash ? await sentMessages(db, showsAll ? {} : { browserHash }, MAX_MESSAGES) : [];
    return reply
      .headers({ 'content-security-policy': outboxPolicy, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(outboxPage(messages, { brand, showsAll }));
  });

  app.get<{ Querystring: { mobile?: unknown } }>('/outbox.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isLoopback(request)) {
      return reply.code(403).send(fail(outboxError('outbox-not-local')));
    }
    const { mobile } = request.query;
    if (mobile !== undefined && !(typeof mobile === 'string' && isMobile(mobile))) {
      return reply.code(400).send(fail(outboxError('outbox-mobile')));
    }
    return sentMessages(db, { mobile }, MAX_MESSAGES);
  });
}
