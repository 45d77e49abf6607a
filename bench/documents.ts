/**
 * Throughput of the home document, relative to a bare Fastify that sends the same bytes with the
 * same headers. The two processes run in turn for several rounds. Target: a median ratio of 0.9.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { freePort, statusOf } from '../test/support/program-process.ts';
import { load, requestText } from './load.ts';
import { median } from './median.ts';
import { processorSeconds } from './processor-time.ts';
import { onScratch } from './scratch.ts';

const TARGET = 0.9;
const ROUNDS = 5;
const CLIENTS = 32;
/** Requests until V8 has optimised both programs. */
const WARM_UP = 60_000;
/**
 * Several seconds for each program: the program renders the document once a second, and the
 * measurement includes that.
 */
const REQUESTS = 100_000;

/** Headers that Fastify and Node add. */
const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length']);

export const run = () =>
  onScratch(async ({ program }) => {
    const document = await documentOf(program.url);
    const bare = await startBare(document);
    const measure = async (url: string, pid: number, requests: number) => {
      const before = processorSeconds(pid);
      const perSecond = await load({
        clients: CLIENTS,
        requests,
        url,
        request: () => REQUEST,
        isExpected: (body) => body.length === document.body.length,
      });
      return { perSecond, microseconds: ((processorSeconds(pid) - before) / requests) * 1e6 };
    };
    const rounds: { ours: Measurement; theirs: Measurement }[] = [];
    type Measurement = Awaited<ReturnType<typeof measure>>;
    try {
      await measure(program.url, program.pid, WARM_UP);
      await measure(bare.url, bare.pid, WARM_UP);
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = await measure(program.url, program.pid, REQUESTS);
        const theirs = await measure(bare.url, bare.pid, REQUESTS);
        rounds.push({ ours, theirs });
        const format = ({ perSecond, microseconds }: Measurement) =>
          `${perSecond.toFixed(0)}/s (${microseconds.toFixed(1)} µs of processor time each)`;
        console.log(`round ${round + 1}: program ${format(ours)}, bare Fastify ${format(theirs)}`);
      }
    } finally {
      await bare.stop();
    }
    const ratio = median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
    const byProcessor = median(rounds.map(({ ours, theirs }) => theirs.microseconds / ours.microseconds));
    console.log(
      `documents: ${ratio.toFixed(2)} of a bare Fastify (median of ${ROUNDS}; target: ${TARGET.toFixed(2)}); by processor time ${byProcessor.toFixed(2)}`,
    );
    if (ratio < TARGET) process.exitCode = 1;
  });

const REQUEST = Buffer.from(requestText('GET', '/', { 'accept-encoding': 'br' }));

interface Document {
  headers: Record<string, string>;
  body: Buffer;
}

/** The compressed body: fetch would decompress it. */
async function documentOf(url: string): Promise<Document> {
  const request = http.get(url, { headers: { 'accept-encoding': 'br' } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = Buffer.concat((await response.toArray()) as Buffer[]);
  const headers = Object.entries(response.headers).filter(([name]) => !ADDED_BY_NODE.has(name)) as [string, string][];
  if (response.statusCode !== 200 || response.headers['content-encoding'] !== 'br') throw new Error('the home document was not sent');
  return { headers: Object.fromEntries(headers), body };
}

async function startBare({ headers, body }: Document) {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const file = path.join(folder, 'document.json');
  await writeFile(file, JSON.stringify({ headers, body: body.toString('base64') }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const script = path.join(import.meta.dirname, 'bare-fastify.ts');
  const child = spawn(process.execPath, ['--max-semi-space-size=4', '--heap-growing-percent=30', script, String(port), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while ((await statusOf(url)) !== 200) if (child.exitCode !== null) throw new Error('the bare Fastify did not start');
  const stop = async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  return { url, pid: child.pid ?? 0, stop };
}
