/** Clients that read slowly or not at all, and what they cost the program. */
import { readdirSync, statSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program must be started with this token. */
export const METRICS_TOKEN = 'a token of the tests, long enough';

const ASSETS = 'build/client/assets';

/** Returns the largest built file and the path of its URL. */
export function largestFile() {
  const files = readdirSync(ASSETS).map((name) => ({
    file: `${ASSETS}/${name}`,
    path: `/assets/${name}`,
    bytes: statSync(`${ASSETS}/${name}`).size,
  }));
  const [largest] = files.toSorted((a, b) => b.bytes - a.bytes);
  if (!largest) throw new Error('The program has not been built');
  return largest;
}

/**
 * Connects, sends the text and reads nothing. Returns a function that reads until the connection
 * ends and returns the code of its error, or 'closed'.
 */
export function stall(port: number, text: string): () => Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  const code = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('close', () => resolve('closed'));
  });
  socket.write(text);
  return () => {
    socket.resume();
    return code;
  };
}

/** Requests the home page again and again. Returns the 95th percentile of the durations. */
export async function homeP95Ms(url: string, requests: number): Promise<number> {
  const durationsMs: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const started = performance.now();
    const response = await fetch(`${url}/`, { signal: AbortSignal.timeout(30_000) });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`home responded with ${response.status}`);
    durationsMs.push(performance.now() - started);
    await sleep(40);
  }
  return durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length * 0.95)] ?? Infinity;
}

export async function residentMegabytes(url: string): Promise<number> {
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(await readMetrics(url)) ?? [];
  return Number(bytes) / 1024 / 1024;
}

/** Returns the number of built files that the program has passed to the operating system. */
export async function countFileResponses(url: string): Promise<number> {
  const counts = (await readMetrics(url)).matchAll(/^http_request_duration_seconds_count\{route="\/assets\/.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return response.text();
}
