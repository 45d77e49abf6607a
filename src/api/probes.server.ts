/** /livez: the process runs. /readyz: it can do its work. /metrics: Prometheus. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/database.server.ts';
import type { Metrics } from './metrics.server.ts';

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
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
