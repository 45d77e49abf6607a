import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { CALL_POLICY, SERVICE_WORKER_POLICY, securityHeaders } from '../../security/security-headers.server.ts';

/**
 * Serves the built files and their precompressed copies. Browsers cache files with a hash in their
 * name for a year and other files for an hour.
 */
export async function staticFiles(app: FastifyInstance, { clientDir }: { clientDir: string }) {
  const root = path.resolve(clientDir);
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const name = path.relative(root, file);
      const hashed = name.startsWith(`assets${path.sep}`);
      reply.headers(securityHeaders);
      // `name` ends with .br or .gz if the file is precompressed.
      reply.header('content-security-policy', /^sw\.js\b/.test(name) ? SERVICE_WORKER_POLICY : CALL_POLICY);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
}
