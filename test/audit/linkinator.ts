/**
 * linkinator: every link, fragment and file of the pages, as they are served and as Chromium
 * renders them.
 */
import path from 'node:path';
import process from 'node:process';
import { folder } from './npm-tools.ts';
import { renderPages } from './rendered-pages.ts';
import { runProcess, type AuditTool } from './tool.ts';

const SECONDS = 180;

const cli = path.join(folder, 'node_modules/linkinator/build/src/cli.js');

interface Report {
  links: { url: string; status: number; state: 'OK' | 'BROKEN' | 'SKIPPED'; parent?: string }[];
}

export const linkinator: AuditTool = {
  name: 'linkinator',
  modes: ['demo'],
  run: async (target) => {
    const { url, cookie, pages } = target;
    const rendered = (await renderPages(target)).flatMap(({ links }) => links).filter((link) => link.startsWith(`${url}/`));
    const starts = [...new Set([...pages.map((page) => `${url}${page.path}`), ...rendered])];
    // Requests leave for this program only.
    const otherHosts = `^(?!${url.replaceAll('.', String.raw`\.`)}(/|$))`;
    const options = ['--recurse', '--check-fragments', '--check-css', '--format', 'json'];
    const args = [
      cli,
      ...starts,
      ...options,
      '--skip',
      otherHosts,
      '--concurrency',
      '4',
      '--timeout',
      '10000',
      '--header',
      `Cookie:${cookie}`,
    ];
    const output = await runProcess(process.execPath, args, { seconds: SECONDS });
    if (!output.includes('{')) throw new Error(output);
    const { links } = JSON.parse(output.slice(output.indexOf('{'))) as Report;
    // The page for an unknown path is a page of the audit.
    const notFound = new Set(pages.filter(({ title }) => title === '/*').map((page) => `${url}${page.path}`));
    const findings = links
      .filter(({ state, url: link }) => state === 'BROKEN' && !notFound.has(link.replace(/#.*/, '')))
      .map(({ url: link, status, parent = '' }) => ({ text: `${status} ${link.replace(url, '')}`, place: parent.replace(url, '') }));
    return { extent: `${links.length} links of ${starts.length} pages`, findings };
  },
};
