/**
 * ffuf: paths that must not be served, as a visitor and as a customer, from this machine and from
 * another one.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProcess, type AuditTool, type Finding } from './tool.ts';

const WORDS = path.join(import.meta.dirname, 'sensitive-paths.txt');
const SECONDS = 60;

/** A proxy adds the header, so the program does not take the request for one of this machine. */
const FORWARDED = ['-H', 'X-Forwarded-For: 203.0.113.9'];

export const ffuf: AuditTool = {
  name: 'ffuf',
  command: 'ffuf',
  modes: ['demo', 'live'],
  run: async ({ url, cookie }) => {
    const signedIn = ['-H', `Cookie: ${cookie}`];
    const findings: Finding[] = [];
    for (const [origin, headers] of Object.entries({ 'from this machine': [], 'through a proxy': FORWARDED })) {
      for (const [place, session] of Object.entries({ visitor: [], customer: signedIn })) {
        for (const { word, status } of await served(url, [...headers, ...session]))
          findings.push({ text: `/${word}: ${status} ${origin}`, place });
      }
    }
    const words = (await readFile(WORDS, 'utf8')).trim().split('\n').length;
    return { extent: `${words} paths, 4 times`, findings };
  },
};

/** Every path of three segments is the page of a payment, and its document loads this script. */
const PAYMENT_PAGE = '/assets/payment-result-';

/** Returns the words whose path has another status than 404, and is no page of a payment. */
async function served(url: string, headers: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'audit-ffuf-'));
  const report = path.join(folder, 'report.json');
  const target = ['-u', `${url}/FUZZ`, '-w', WORDS, ...headers];
  // Every status is a result, also 429 and 500. More connections would exceed the limits of a
  // client.
  const limits = ['-mc', 'all', '-fc', '404', '-fr', PAYMENT_PAGE, '-t', '4', '-timeout', '10', '-maxtime', String(SECONDS)];
  try {
    const output = await runProcess('ffuf', [...target, ...limits, '-o', report, '-of', 'json'], { seconds: SECONDS + 10 });
    // ffuf leaves a request without a response out of its report.
    const errors = [...output.matchAll(/Errors: (\d+)/g)].at(-1)?.[1];
    if (errors !== '0') throw new Error(`${errors} requests had no response`);
    const { results } = JSON.parse(await readFile(report, 'utf8').catch(() => Promise.reject(new Error(output)))) as {
      results: { input: { FUZZ: string }; status: number }[];
    };
    return results.map(({ input, status }) => ({ word: input.FUZZ, status })).toSorted((a, b) => a.word.localeCompare(b.word));
  } finally {
    await rm(folder, { recursive: true });
  }
}
