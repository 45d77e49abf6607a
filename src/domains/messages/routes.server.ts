/** The outbox of a demonstration: what would have gone out by SMS, for people and for programs. Not registered in live mode. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand } from '../../browser/brand.ts';
import { isMobile } from '../../lib/mobile.ts';
import type { Db } from '../../db/database.server.ts';
import { isLoopback } from '../../security/client-network.server.ts';
import { outboxPage, outboxPolicy } from './pages/outbox.server.ts';
import { sentMessages } from './store.server.ts';

export interface OutboxOptions {
  db: Db;
  brand: Brand;
  /** The browser by its cookie: strangers see what they asked for themselves. */
  browserHashOf(request: FastifyRequest): Buffer | undefined;
}

const MOST_SHOWN = 50;

export function outboxRoutes(app: FastifyInstance, { db, brand, browserHashOf }: OutboxOptions) {
  app.get('/outbox', async (request, reply) => {
    const everyone = isLoopback(request);
    const browserHash = browserHashOf(request);
    const messages = everyone || browserHash ? await sentMessages(db, everyone ? {} : { browserHash }, MOST_SHOWN) : [];
    return reply
      .headers({ 'content-security-policy': outboxPolicy, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(outboxPage(messages, { brand, everyone }));
  });

  app.get<{ Querystring: { mobile?: unknown } }>('/outbox.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isLoopback(request)) {
      return reply.code(403).send({ response: 'error', message: 'The outbox is read on the machine itself', data: null });
    }
    const { mobile } = request.query;
    if (mobile !== undefined && !(typeof mobile === 'string' && isMobile(mobile))) {
      return reply.code(400).send({ response: 'error', message: 'mobile must be ten digits', data: null });
    }
    return sentMessages(db, { mobile }, MOST_SHOWN);
  });
}
