import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { Clock } from '../../lib/clock.ts';
import { fail, sharedEncoding, type RegisterRoute } from '../../contract/route.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { hasQuery, noBody, type Call, type Envelope } from '../../contract/define-call.ts';
import { sendCallError } from './call-errors.server.ts';
import { rejectCrossSite, rejectInvalidBody, validateBody } from './check-request.server.ts';
import { createCallerSlots, type CallerSlot } from '../../security/caller-slots.server.ts';
import { callHeaders } from '../../security/security-headers.server.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

/** The calls of one caller at a time. A page sends a few together. */
const CALLS_OF_CALLER = { concurrent: 4, queued: 200 } as const;

/** Returns both paths of a call, with and without .php: the specification writes some of each. */
const pathsOf = ({ path }: { path: string }) => {
  const base = path.replace(/\.php$/, '');
  return [`/${base}`, `/${base}.php`];
};

/** Returns the schema of the call's responses. */
const envelopeSchema = ({ data }: { data: z.ZodMiniType }) =>
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

/**
 * Returns the schemas of the parts of a request that are validated. Returns false for a GET call
 * without parameters, which accepts any query, such as tracking parameters.
 */
const requestSchema = ({ body, ...call }: Call<unknown, unknown>) => {
  if (!hasQuery(call)) return { body };
  return body !== noBody && { querystring: body };
};

interface CallsOptions {
  registerCalls(registerRoute: RegisterRoute): void;
  publicOrigin: string | undefined;
  clock: Clock;
  /** Folders whose GET requests are for pages, except those of calls. */
  pageFolders: readonly string[];
}

/**
 * Returns a Fastify plugin that serves all calls which `registerCalls` registers. It validates each
 * request, serialises each response and sends every error as an envelope, whose `response` is the
 * call's `failure`. In the folders of the calls, any other method or path responds with an envelope
 * (404), except GET requests in `pageFolders`.
 */
export function callsPlugin({ registerCalls, publicOrigin, clock, pageFolders }: CallsOptions) {
  return async (app: FastifyInstance) => {
    app.setSerializerCompiler(serializerCompiler);
    app.setErrorHandler(sendCallError);
    // A form of another site can post text/plain without a preflight request, but not JSON.
    app.removeContentTypeParser('text/plain');
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(callHeaders);
      // The time of the program's clock. The browser sets its own clock by it
      // (browser/server-clock.ts).
      reply.header('date', clock.now().toUTCString());
    });
    app.addHook<Envelope<unknown> | null>('preSerialization', (request, _reply, envelope, done) => {
      if (!envelope || envelope.response === 'success') return done(null, envelope);
      request.errorCode = envelope.code;
      done(null, { ...envelope, response: request.routeOptions.config.call?.failure ?? envelope.response });
    });
    app.addHook('preParsing', rejectCrossSite(publicOrigin));
    app.addHook('preValidation', rejectInvalidBody);

    const createSlot = createCallerSlots(CALLS_OF_CALLER);
    const folders = new Set<string>();
    const uploads: RouteOptions[] = [];
    registerCalls((call, handler, { onInvalidBody } = {}) => {
      folders.add(call.path.split('/')[0] ?? '');
      for (const url of pathsOf(call)) {
        const route: RouteOptions = {
          method: call.method,
          url,
          bodyLimit: BODY_LIMIT_BYTES,
          config: { call },
          validatorCompiler: validateBody(call.errors),
          schema: { ...requestSchema(call), response: { 200: envelopeSchema(call) } },
          attachValidation: onInvalidBody !== undefined,
          handler: async (request: FastifyRequest, reply: FastifyReply) => {
            const { validationError } = request;
            if (validationError instanceof ApiError) await onInvalidBody?.(request, validationError);
            if (validationError) throw validationError;
            // Handlers read the parameters of the query from the body too.
            if (hasQuery(call)) request.body = request.query;
            // An upload lasts as long as its client sends. It has limits of its own.
            if (!call.upload) request.callerSlot = createSlot();
            const envelope = await handler(request as never, reply).finally(() => request.callerSlot?.release());
            const encoded = sharedEncoding(envelope, () => reply.serialize(envelope) as string);
            return encoded ? reply.type('application/json; charset=utf-8').send(encoded) : envelope;
          },
        };
        if (call.upload) uploads.push(route);
        else app.route(route);
      }
    });
    await app.register(async (scope) => uploadRoutes(scope, uploads));
    for (const folder of folders) {
      const isForPages = (method: string) => pageFolders.includes(folder) && (method === 'GET' || method === 'HEAD');
      app.route({
        method: app.supportedMethods.filter((method) => !isForPages(method)),
        url: `/${folder}/*`,
        handler: async (request, reply) => reply.code(404).send(fail(protocolError('no-such-call', { method: request.method }))),
      });
    }
  };
}

/**
 * Registers calls whose body is a file of any type. Their handlers read it themselves, after they
 * have authenticated the caller.
 */
function uploadRoutes(app: FastifyInstance, routes: readonly RouteOptions[]) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onSend', async ({ raw }) => {
    // Discards the rest of a file that was not read. Closing the connection instead can lose the
    // response: TCP resets a connection that is closed with unread data.
    if (!raw.complete) raw.resume();
  });
  for (const route of routes) app.route(route);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the failed envelope that responds to a call. */
    errorCode?: string;
    callerSlot?: CallerSlot;
  }
  interface FastifyContextConfig {
    call?: Pick<Call<unknown, unknown>, 'path' | 'failure' | 'caller' | 'upload'>;
  }
}
