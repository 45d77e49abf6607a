/** Serves contracts over Fastify: validation in, envelope out, one place for every refusal. Everything here is encapsulated in one plugin. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { Clock } from '../../lib/clock.ts';
import { fail, type RegisterRoute } from '../../contract/route.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { noBody, type Call } from '../../contract/define-call.ts';
import { sendCallError } from './call-errors.server.ts';
import { rejectCrossSite } from './same-origin.server.ts';
import { CALL_POLICY, securityHeaders } from './security-headers.server.ts';
import { validateBody } from './validate-body.server.ts';
import { rejectInvalidText } from './reject-invalid-text.server.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;

/** Both spellings are served: the specification writes some paths with .php and some without. */
const spellings = ({ path }: { path: string }) => {
  const bare = path.replace(/\.php$/, '');
  return [`/${bare}`, `/${bare}.php`];
};

const envelope = ({ data }: { data: z.ZodMiniType }) =>
  z.union([
    z.object({ response: z.literal('success'), message: z.string(), data }),
    z.object({
      response: z.enum(['error', 'failed']),
      message: z.string(),
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      data: z.null(),
    }),
  ]);

/** What is validated. A GET call that is told nothing takes any query: addresses are passed on with all sorts of things behind the question mark. */
const given = ({ method, body }: Call<unknown, unknown>) => {
  if (method === 'POST') return { body };
  return body !== noBody && { querystring: body };
};

/** Registers what `domains` bind with the given Answer. Call folders answer every other method or path with an envelope too, never with HTML. */
export function callsPlugin(domains: (registerRoute: RegisterRoute) => void, publicOrigin: string | undefined, clock: Clock) {
  return async (app: FastifyInstance) => {
    app.setSerializerCompiler(serializerCompiler);
    app.setErrorHandler(sendCallError);
    // Fastify reads plain text by itself. A form of another site can send that without asking; JSON it cannot.
    app.removeContentTypeParser('text/plain');
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ ...securityHeaders, 'content-security-policy': CALL_POLICY, 'cache-control': 'no-store' });
      // The time that the program decides by: the browser takes it for its own (browser/server-clock.ts).
      reply.header('date', clock.now().toUTCString());
    });
    app.addHook('preParsing', rejectCrossSite(publicOrigin));
    app.addHook('preValidation', rejectInvalidText);

    const folders = new Set<string>();
    domains((call, handler) => {
      folders.add(call.path.split('/')[0] ?? '');
      for (const url of spellings(call)) {
        app.route({
          method: call.method,
          url,
          bodyLimit: BODY_LIMIT_BYTES,
          config: { call },
          validatorCompiler: validateBody(call.errors),
          schema: { ...given(call), response: { 200: envelope(call) } },
          handler: async (request: FastifyRequest, reply: FastifyReply) => {
            // A GET call is told what it is told in its query; its handler reads it where every other does.
            if (call.method === 'GET') request.body = request.query;
            const result = await handler(request as never, reply);
            return result.response === 'success' ? result : { ...result, response: call.failure };
          },
        });
      }
    });
    for (const folder of folders) {
      app.all(`/${folder}/*`, async (request, reply) =>
        reply.code(404).send(fail(protocolError('no-such-call', { method: request.method }))),
      );
    }
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Pick<Call<unknown, unknown>, 'path' | 'failure' | 'caller'>;
  }
}
