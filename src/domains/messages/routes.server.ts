/**
 * /outbox and /outbox.json: the messages that a demonstration would have sent by SMS. Not
 * registered in live mode.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand } from '../../shared/brand.ts';
import { languageOfCookies } from '../../i18n/preferred-language.server.ts';
import { isMobile } from '../../lib/mobile.ts';
import { defineErrors } from '../../contract/errors.ts';
import { fail } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import { outboxPage, outboxPolicy, type ShownMessage } from './pages/outbox.server.ts';
import { listSentMessages } from './store.server.ts';

export interface OutboxOptions {
  db: Db;
  brand: Brand;
  /**
   * Identifies the browser by its cookie. A browser sees only the messages that it requested: a
   * connection from this machine proves nothing, because a proxy may run here.
   */
  browserHashOf(request: FastifyRequest): Buffer | undefined;
  /** Returns the messages about the orders of the session, newest first. */
  otherMessages(request: FastifyRequest, limit: number): Promise<ShownMessage[]>;
}

const MAX_MESSAGES = 50;

const outboxError = defineErrors({
  'outbox-mobile': 'mobile must be ten digits',
});

export function outboxRoutes(app: FastifyInstance, { db, brand, browserHashOf, otherMessages }: OutboxOptions) {
  const requestedMessages = async (request: FastifyRequest, mobile?: string) => {
    const browserHash = browserHashOf(request);
    return browserHash ? listSentMessages(db, { mobile, browserHash }, MAX_MESSAGES) : [];
  };

  app.get('/outbox', async (request, reply) => {
    const messages = [...(await requestedMessages(request)), ...(await otherMessages(request, MAX_MESSAGES))];
    const newestFirst = messages.toSorted((a, b) => Number(b.sent_at) - Number(a.sent_at));
    return reply
      .headers({ 'content-security-policy': outboxPolicy, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(outboxPage(newestFirst, brand, languageOfCookies(request.headers.cookie)));
  });

  // Apart from the codes, so that the first message of /outbox.json is the newest code.
  app.get('/outbox/orders.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return otherMessages(request, MAX_MESSAGES);
  });

  app.get<{ Querystring: { mobile?: unknown } }>('/outbox.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { mobile } = request.query;
    if (mobile !== undefined && !(typeof mobile === 'string' && isMobile(mobile))) {
      return reply.code(400).send(fail(outboxError('outbox-mobile')));
    }
    return requestedMessages(request, mobile);
  });
}
