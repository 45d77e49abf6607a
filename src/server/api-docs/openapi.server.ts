import * as z from 'zod';
import type { RegisterRoute } from '../../contract/route.server.ts';
import { hasQuery, noBody, type Call } from '../../contract/define-call.ts';
import type { ErrorTexts } from '../../contract/errors.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import type { Brand } from '../../shared/brand.ts';

type AnyCall = Call<unknown, unknown>;

/**
 * Wraps `registerCalls` so that the calls are collected for the documentation while they are
 * registered. `calls` returns them sorted by path, after `registerAndCollect` has run.
 */
export function collectCalls(registerCalls: (registerRoute: RegisterRoute) => void) {
  const calls: AnyCall[] = [];
  const registerAndCollect = (registerRoute: RegisterRoute) =>
    registerCalls((call, ...route) => {
      calls.push(call);
      registerRoute(call, ...route);
    });
  return { registerAndCollect, calls: () => calls.toSorted((a, b) => a.path.localeCompare(b.path)) };
}

/**
 * Returns the JSON Schema of the encoded form, with rupees and kilograms instead of paise and
 * grams.
 */
export function wireSchema(schema: AnyCall['body']): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema as unknown as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // zod adds the limits of safe integers to every integer.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return json;
}

/** HTTP statuses of protocol errors, which have the same envelope (design section 5). */
const PROTOCOL_ERRORS = {
  400: 'A field is invalid, or the body cannot be read',
  401: 'The session is missing or expired, or userid or token belongs to another customer',
  403: 'The request came from another site; for a staff call also: not allowed for the role, or the log-in is too old',
  413: 'The body is larger than 64 KB, or the file of an upload than its limit',
  414: 'The address is longer than 2,048 characters',
  415: 'The body is not application/json',
  429: 'Too many requests; Retry-After is the number of seconds to wait',
  503: 'The service is temporarily unavailable; Retry-After is the number of seconds to wait',
} as const;

const SECURITY: Record<Call<unknown, unknown>['caller'], Record<string, string[]>[]> = {
  anyone: [],
  customer: [{ session: [] }],
  'customer-or-guest': [{ session: [] }],
  staff: [{ staff: [] }],
};

const json = (schema: object) => ({ 'application/json': { schema } });
const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Returns the OpenAPI 3.1 document of the calls, generated from their contracts. */
export function openApiDocument(calls: AnyCall[], brand: Brand) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name} calls`,
      version: '1',
      description:
        'Every response is { response, message, data }; a failed one also has a stable code and params, the values of its message. ' +
        'Programs read the code: messages are for people. The result of a call has status 200, whether response is success or not. ' +
        'Amounts are rupees, weights kilograms, dates and times Asia/Kolkata. Paths are served with and without .php.',
    },
    tags: [...new Set(calls.map(folderOf))].map((name) => ({ name })),
    paths: Object.fromEntries(calls.map((call) => [`/${call.path}`, { [call.method.toLowerCase()]: operation(call) }])),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Set by login/login.php; over https its name is __Host-session.',
        },
        staff: {
          type: 'apiKey',
          in: 'cookie',
          name: 'staff',
          description: 'Set by staff/login; over https its name is __Host-staff.',
        },
      },
      schemas: {
        ApiError: {
          type: 'object',
          properties: { ...failureProperties, code: { type: 'string', description: describeCodes(protocolError.texts) } },
          required: Object.keys(failureProperties),
        },
      },
      responses: Object.fromEntries(
        Object.entries(PROTOCOL_ERRORS).map(([status, description]) => [
          status,
          { description, content: json(reference('schemas', 'ApiError')) },
        ]),
      ),
    },
  };
}

/** The properties of a failed envelope. */
const failureProperties = {
  response: { enum: ['error', 'failed'] },
  message: { type: 'string' },
  code: { type: 'string' },
  params: { type: 'object', additionalProperties: { type: ['string', 'number'] }, description: 'The values of the message' },
  data: { type: 'null' },
};

/** Returns a text with one line for each code and its English message. */
const describeCodes = (texts: ErrorTexts) =>
  Object.entries(texts)
    .map(([code, text]) => `${code}: ${text}`)
    .join('\n');

/** The first segment of the call's path. */
export const folderOf = ({ path }: { path: string }) => path.split('/')[0] ?? '';

/** Returns the operation object of a call. */
function operation(call: AnyCall) {
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
      code: { enum: codes, description: describeCodes(call.errors) },
    },
    required: Object.keys(failureProperties),
  };
  return {
    operationId: call.path.replace(/\.php$/, '').replace('/', '-'),
    tags: [folderOf(call)],
    summary: call.summary,
    security: SECURITY[call.caller],
    ...(hasParameters(call) && { parameters: queryParameters(call) }),
    ...(call.method === 'POST' && { requestBody: { required: true, content: call.upload ? FILE : json(wireSchema(call.body)) } }),
    responses: {
      200: {
        description: `success, or ${call.failure} with the code of the error`,
        content: json({ oneOf: codes.length > 0 ? [success, failure] : [success] }),
      },
      ...Object.fromEntries(protocolStatusesOf(call).map((status) => [status, reference('responses', status)])),
    },
  };
}

const FILE = { 'application/octet-stream': {} };

const hasParameters = (call: AnyCall) => hasQuery(call) && call.body !== noBody;

const queryParameters = ({ body }: AnyCall) => {
  const { properties = {}, required = [] } = wireSchema(body);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
};

/** Returns the statuses of the protocol errors that the call can respond with. */
const protocolStatusesOf = (call: AnyCall) =>
  Object.keys(PROTOCOL_ERRORS).filter((status) => {
    if (status === '401') return call.caller !== 'anyone';
    if (status === '400' && hasParameters(call)) return true;
    if (status === '414') return hasParameters(call);
    if (status === '415' && call.upload) return false;
    return call.method === 'POST' || status === '429' || status === '503';
  });
