import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';
import { isLoopback } from '../../security/client-network.server.ts';
import type { Metrics } from './metrics.server.ts';

/**
 * Registers /livez (the process runs), /readyz (it can serve requests) and /metrics (for clients on
 * this machine).
 */
export function probes(app: FastifyInstance, { db, metrics, isStopping }: { db: Db; metrics: Metrics; isStopping(): boolean }) {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      await sql`select 1`.execute(db);
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });
  app.get('/metrics', async (request, reply) => {
    // Metrics reveal the number of orders and the load, so other machines get a 404.
    if (!isLoopback(request)) return reply.code(404).type('text/plain').send('There is nothing here');
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
