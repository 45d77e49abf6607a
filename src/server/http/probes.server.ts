import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { checkWritable, type Db } from '../../db/database.server.ts';
import { READ_ONLY_CODE } from '../../db/unavailable.server.ts';
import type { Metrics } from './metrics.server.ts';

interface ProbesOptions {
  db: Db;
  metrics: Metrics;
  /** Undefined: /metrics responds with 404 to every request. */
  metricsToken: string | undefined;
  isStopping(): boolean;
}

/**
 * Registers /livez (the process runs), /readyz (it can serve requests) and /metrics (for clients
 * with the token). /readyz responds with 503 while the program stops, and without a writable
 * database; /metrics responds with 404 to a wrong token.
 */
export function registerProbes(app: FastifyInstance, { db, metrics, metricsToken, isStopping }: ProbesOptions) {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      await checkWritable(db);
      return { status: 'ok' };
    } catch (error) {
      const isReadOnly = (error as { code?: unknown }).code === READ_ONLY_CODE;
      return reply.code(503).send({ status: isReadOnly ? 'database read-only' : 'database unavailable' });
    }
  });
  app.get('/metrics', async (request, reply) => {
    // Metrics reveal the number of orders and the load.
    if (!metricsToken || !isBearer(request.headers.authorization, metricsToken))
      return reply.code(404).type('text/plain').send('There is nothing here');
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Returns true for the header of this token. Takes the same time for every wrong token. */
const isBearer = (authorization = '', token: string) => timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));

const digest = (text: string) => createHash('sha256').update(text).digest();
