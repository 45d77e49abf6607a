import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from './security-headers.server.ts';

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
      const hashed = path.relative(root, file).startsWith(`assets${path.sep}`);
      for (const [name, value] of Object.entries(securityHeaders)) reply.header(name, value);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
}
