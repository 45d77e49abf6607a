/** Calls to services outside this program, and how long a page waits for them. In real time: those services know nothing of our clock. */
export const WAITS = {
  /** Whoever asked for a code reads within 10 s whether it went out; the rest of those 10 s is ours. */
  sendMs: 9000,
  /** One attempt to hand a message over. */
  attemptMs: 8000,
  /** Before the second attempt; doubled before each further one. */
  firstRetryMs: 300,
  checkCodeMs: 8000,
  botCheckMs: 3000,
  /** One question to a payment gateway. */
  gatewayMs: 8000,
} as const;

export type Waits = Readonly<Record<keyof typeof WAITS, number>>;

/** The request surely did not reach the service: nothing has happened there. Whatever else askOutside throws leaves that open. */
export class NotReached extends Error {
  override name = 'NotReached';
}

export interface OutsideAnswer {
  status: number;
  /** Undefined where the answer was no JSON. */
  json: unknown;
}

interface Question {
  headers?: Record<string, string>;
  /** Without one the question is a GET. */
  body?: unknown;
  signal: AbortSignal;
}

const MOST_ANSWER_BYTES = 64 * 1024;

/** Posts JSON, or gets it. Follows no redirect, because the request carries keys, and reads no more than a sane service would say. */
export async function askOutside(url: string, { headers, body, signal }: Question): Promise<OutsideAnswer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    headers: { ...headers, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  }).catch((error: unknown) => {
    throw isUnreached(error) ? new NotReached('The service could not be reached', { cause: error }) : error;
  });
  return { status: response.status, json: parsed(await readText(response)) };
}

/** Faults of finding the service and of connecting to it; those of a connection that stood are not among them. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const isUnreached = (error: unknown) =>
  error instanceof Error && UNREACHED.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '');

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error('The service said too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
