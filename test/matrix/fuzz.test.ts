import { expect, test } from 'vitest';
import { useProgram } from '../support/program.ts';
import { chance, newSeed } from '../support/random.ts';
import { oddRequest } from './fuzz.ts';
import { rows } from './rows.ts';
import { newWorld } from './world.ts';

const program = useProgram();
const seed = newSeed();
const REQUESTS = 3000;

test(`${REQUESTS} odd requests: none breaks the server, every answer is an envelope (S4, seed ${seed})`, async () => {
  const random = chance(seed);
  const { own } = await newWorld(program);
  const callers = [own.caller, program.caller()];
  const problems: unknown[] = [];
  for (let number = 0; number < REQUESTS; number += 1) {
    const { method, path, headers, payload } = oddRequest(random, random.pick(rows), own);
    const response = await random.pick(callers).request(method, path, method === 'GET' ? undefined : payload, headers);
    if (!isSound(response))
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
});

function isSound({ statusCode, body, headers }: { statusCode: number; body: string; headers: Record<string, unknown> }) {
  if (statusCode >= 500 || !headers['x-content-type-options'] || !headers['content-security-policy']) return false;
  // An address that is not one of ours has no envelope: it may belong to a page.
  if (statusCode === 404 || !String(headers['content-type']).startsWith('application/json'))
    return statusCode === 404 || statusCode === 400;
  const answer = JSON.parse(body) as Record<string, unknown>;
  return (
    Object.keys(answer).join() === 'response,message,data' &&
    typeof answer.message === 'string' &&
    !/ at \/|node_modules|select |SQL/i.test(answer.message)
  );
}
