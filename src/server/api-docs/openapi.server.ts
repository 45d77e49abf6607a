/** The calls as an OpenAPI document, made from the contracts: what stands here is what the server checks. Served at /openapi.json. */
import * as z from 'zod';
import type { RegisterRoute } from '../../contract/route.server.ts';
import { noBody, type Call } from '../../contract/define-call.ts';
import type { ErrorTexts } from '../../contract/errors.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import type { Brand } from '../../browser/brand.ts';

type AnyCall = Call<unknown, unknown>;

/** Passes on what `domains` bind and remembers the calls, so that nothing is bound a second time just to be described. */
export function collectCalls(domains: (registerRoute: RegisterRoute) => void) {
  const calls: AnyCall[] = [];
  const bind = (registerRoute: RegisterRoute) =>
    domains((call, handler) => {
      calls.push(call);
      registerRoute(call, handler);
    });
  return { bind, calls: () => calls.toSorted((a, b) => a.path.localeCompare(b.path)) };
}

/** A schema as the wire sees it: rupees and kilograms, before they become paise and grams. */
export function wireSchema(schema: AnyCall['body']): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema as unknown as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // "Any whole number" needs no limits in a document.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return json;
}

/** Statuses that are no business answer, with the same envelope (design section 5). */
const REFUSALS = {
  400: 'A field breaks its rule, or the body cannot be read',
  401: 'There is no live session, or userid or token names another customer',
  403: 'The request came from another site',
  413: 'The body is larger than 64 KB',
  415: 'The body is not application/json',
  429: 'Too many requests; Retry-After says when to come back',
  503: 'Not available right now; Retry-After says when to come back',
} as const;

const SECURITY: Record<Call<unknown, unknown>['caller'], Record<string, string[]>[]> = {
  anyone: [],
  customer: [{ session: [] }],
  'customer or guest': [{ session: [] }],
};

const json = (schema: object) => ({ 'application/json': { schema } });
const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export function openApiDocument(calls: AnyCall[], brand: Brand) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name} calls`,
      version: '1',
      description:
        'Every answer is { response, message, data }; a failed one also has a stable code and params, the values of its message. ' +
        'Decide by code: messages are for people. Business answers come with status 200, whether response is success or not. ' +
        'Amounts are rupees, weights kilograms, dates and times Asia/Kolkata. Paths are served with and without .php.',
    },
    tags: [...new Set(calls.map(folderOf))].map((name) => ({ name })),
    paths: Object.fromEntries(calls.map((call) => [`/${call.path}`, { [call.method.toLowerCase()]: operationOf(call) }])),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Set by login/login.php; __Host-session where the site is served over https.',
        },
      },
      schemas: {
        ApiError: {
          type: 'object',
          properties: { ...failureProperties, code: { type: 'string', description: codesOf(protocolError.texts) } },
          required: Object.keys(failureProperties),
        },
      },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [status, { description, content: json(reference('schemas', 'ApiError')) }]),
      ),
    },
  };
}

/** Of a failed envelope. */
const failureProperties = {
  response: { enum: ['error', 'failed'] },
  message: { type: 'string' },
  code: { type: 'string' },
  params: { type: 'object', additionalProperties: { type: ['string', 'number'] }, description: 'The values of the message' },
  data: { type: 'null' },
};

const codesOf = (texts: ErrorTexts) =>
  Object.entries(texts)
    .map(([code, text]) => `${code}: ${text}`)
    .join('\n');

export const folderOf = ({ path }: { path: string }) => path.split('/')[0] ?? '';

function operationOf(call: AnyCall) {
  const success = {
    type: 'object',
    properties: { response: { const: 'success' }, message: { type: 'string' }, data: wireSchema(call.data) },
    required: ['response', 'message', 'data'],
  };
  const codes = Object.keys(call.errors);
  const failure = {
    type: 'object',
    properties: {
      ...failureProperties,
      response: { const: call.failure },
      code: { enum: codes, description: codesOf(call.errors) },
    },
    required: Object.keys(failureProperties),
  };
  return {
    operationId: call.path.replace(/\.php$/, '').replace('/', '-'),
    tags: [folderOf(call)],
    summary: call.summary,
    security: SECURITY[call.caller],
    ...(hasQuery(call) && { parameters: parametersOf(call) }),
    ...(call.method === 'POST' && { requestBody: { required: true, content: json(wireSchema(call.body)) } }),
    responses: {
      200: {
        description: `Done, or ${call.failure}: the code says why`,
        content: json({ oneOf: codes.length > 0 ? [success, failure] : [success] }),
      },
      ...Object.fromEntries(refusalsOf(call).map((status) => [status, reference('responses', status)])),
    },
  };
}

const hasQuery = ({ method, body }: AnyCall) => method === 'GET' && body !== noBody;

const parametersOf = ({ body }: AnyCall) => {
  const { properties = {}, required = [] } = wireSchema(body);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
};

const refusalsOf = (call: AnyCall) =>
  Object.keys(REFUSALS).filter((status) => {
    if (status === '401') return call.caller !== 'anyone';
    if (status === '400' && hasQuery(call)) return true;
    return call.method === 'POST' || status === '429' || status === '503';
  });
