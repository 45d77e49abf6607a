/**
 * Lighthouse's mobile profile for three public pages, relative to Next.js's static hello in the
 * same run: ten rounds, medians. Targets: LCP at most 1.15 times and TBT at most 1.0 times that of
 * the hello, CLS at most 0.01, performance 0.99, the other categories 1.00.
 */
import path from 'node:path';
import process from 'node:process';
import { startHello } from './lighthouse/hello-server.ts';
import { folder, installPackages, node } from './lighthouse/packages.ts';
import { median } from './median.ts';
import { onScratch } from './scratch.ts';
import { fullChromiumPath } from '../tools/chromium-path.mjs';

const ROUNDS = 10;
/**
 * Lighthouse asks to repeat a run if Chromium's trace is incomplete (NO_NAVSTART and similar
 * errors).
 */
const ATTEMPTS = 3;
const PAGES = ['/', '/reviews', '/auth/login'] as const;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const METRICS = { LCP: 'largest-contentful-paint', TBT: 'total-blocking-time', CLS: 'cumulative-layout-shift' } as const;

const cli = path.join(folder, 'node_modules/lighthouse/cli/index.js');
// Chromium's sandbox does not run as root, which build servers use.
const CHROMIUM_FLAGS = `--headless=new --disable-background-networking${process.getuid?.() === 0 ? ' --no-sandbox' : ''}`;

interface Report {
  categories: Record<(typeof CATEGORIES)[number], { score: number }>;
  audits: Record<string, { id: string; title: string; score: number | null; numericValue?: number; scoreDisplayMode: string }>;
}

export const run = async () => {
  await installPackages();
  const hello = await startHello();
  try {
    await onScratch(({ program }) =>
      compare([{ name: "Next.js's hello", url: hello.url }, ...PAGES.map((page) => ({ name: page, url: `${program.url}${page}` }))]),
    );
  } finally {
    await hello.stop();
  }
};

async function compare(pages: { name: string; url: string }[]) {
  const reports = new Map<string, Report[]>(pages.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) for (const { name, url } of pages) reports.get(name)?.push(await reportOf(url));
  const rows = pages.map(({ name }) => rowOf(name, reports.get(name) ?? []));
  console.table(rows);
  const [hello, ...ours] = rows;
  for (const row of ours) {
    const faults = [
      ...(row.LCP > 1.15 * (hello?.LCP ?? 0) ? ['LCP'] : []),
      ...(row.TBT > (hello?.TBT ?? 0) ? ['TBT'] : []),
      ...(row.CLS > 0.01 ? ['CLS'] : []),
      ...CATEGORIES.filter((category) => row[category] < (category === 'performance' ? 0.99 : 1)),
    ];
    if (faults.length === 0) continue;
    process.exitCode = 1;
    const failed = Object.values(reports.get(row.page)?.at(-1)?.audits ?? {}).filter(
      ({ score, scoreDisplayMode }) => score === 0 && scoreDisplayMode === 'binary',
    );
    console.log(`${row.page} misses: ${faults.join(', ')}. Audits that failed: ${failed.map(({ title }) => title).join('; ') || 'none'}`);
  }
}

function rowOf(page: string, reports: Report[]) {
  const score = (category: (typeof CATEGORIES)[number]) => median(reports.map(({ categories }) => categories[category].score));
  const metric = (name: keyof typeof METRICS) =>
    Number(median(reports.map(({ audits }) => audits[METRICS[name]]?.numericValue ?? Number.NaN)).toFixed(3));
  return {
    page,
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    LCP: metric('LCP'),
    TBT: metric('TBT'),
    CLS: metric('CLS'),
  };
}

async function reportOf(url: string): Promise<Report> {
  const options = [
    '--output=json',
    '--quiet',
    `--chrome-flags=${CHROMIUM_FLAGS}`,
    '--no-enable-error-reporting',
    `--only-categories=${CATEGORIES.join(',')}`,
  ];
  const chromium = fullChromiumPath();
  const env = { ...(chromium && { CHROME_PATH: chromium }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return JSON.parse(await node([cli, url, ...options], env)) as Report;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.log(`${url}: ${/"code": "(\w+)"/.exec(String(error))?.[1] ?? String(error)}; retrying`);
    }
  }
}
