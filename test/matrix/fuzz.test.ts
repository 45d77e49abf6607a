import { expect, test } from 'vitest';
import { useProgram } from '../support/program.ts';
import { createRandom, newSeed } from '../support/random.ts';
import { malformedRequest } from './fuzz.ts';
import { rows } from './rows.ts';
import { newParties } from './parties.ts';
import { size } from '../support/size.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const seed = newSeed();
const REQUESTS = size({ small: 3000, full: 20_000 });

test(
  `${REQUESTS} malformed requests: no response is a server error, and every response is an envelope (S4, seed ${seed})`,
  { timeout: 300_000 },
  async () => {
    const random = createRandom(seed);
    const { own } = await newParties(program);
    const callers = [own.caller, program.caller()];
    const problems: unknown[] = [];
    for (let number = 0; number < REQUESTS; number += 1) {
      const { method, path, headers, payload } = malformedRequest(random, random.pick(rows), own);
      const response = await random.pick(callers).request(method, path, method === 'GET' ? undefined : payload, headers);
      if (!isValidResponse(path, response))
        problems.push({
          number,
          method,
          path,
          headers,
          payload: payload.slice(0, 200),
          status: response.statusCode,
          body: response.body.slice(0, 200),
        });
    }
    expect(problems).toEqual([]);
    expect(program.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  },
);

const folders = new Set(rows.map(({ call }) => call.path.split('/')[0]));

function isValidResponse(
  path: string,
  { statusCode, body, headers }: { statusCode: number; body: string; headers: Record<string, unknown> },
) {
  if (statusCode >= 500 || !headers['x-content-type-options'] || !headers['content-security-policy']) return false;
  // An unknown path gets plain text, because the client may have expected a page.
  const isCallPath = folders.has(path.split('/')[0]) && !path.includes('%');
  if (!isCallPath && !String(headers['content-type']).startsWith('application/json')) return statusCode >= 400;
  const envelope = JSON.parse(body) as Record<string, unknown>;
  return (
    Object.keys(envelope).join() === (envelope.response === 'success' ? 'response,message,data' : 'response,message,code,params,data') &&
    typeof envelope.message === 'string' &&
    !/\bat \/|node_modules|syntax error|relation "/i.test(envelope.message)
  );
}
