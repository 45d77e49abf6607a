/** The settings of OpenTelemetry under their standard names. */
import { z } from 'zod';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const httpUrl = z.url({ protocol: /^https?$/ });
/** `key=value,key=value` with percent-encoded values. */
const pairs = z
  .string()
  .regex(/^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/, 'must be key=value, separated by commas')
  .transform((text, context) => {
    try {
      return Object.fromEntries(
        text
          .split(',')
          .map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())]),
      );
    } catch {
      context.addIssue('has an invalid percent-encoding');
      return z.NEVER;
    }
  });

export const tracingSchema = z.object({
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json', 'must be http/json').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number().int().min(1).max(60_000).default(10_000),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).max(60_000).default(5000),
});

export interface TracingSettings {
  /** The address for traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** The time between two exports. */
  delayMs: number;
  /** Attributes of the process. */
  resource: Readonly<Record<string, string>>;
  sampler: (typeof SAMPLERS)[number];
  /** For the samplers with a ratio: the share of the traces. */
  ratio: number;
}

/** Returns undefined without the address of a collector, and if tracing is disabled. */
export function tracingSettings(values: z.output<typeof tracingSchema>): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = values;
  const url = tracesEndpoint ?? (endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces`);
  if (url === undefined || values.OTEL_SDK_DISABLED === 'true') return undefined;
  const resource = values.OTEL_RESOURCE_ATTRIBUTES ?? {};
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    resource: { ...resource, 'service.name': values.OTEL_SERVICE_NAME ?? resource['service.name'] ?? 'dhulai' },
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}
