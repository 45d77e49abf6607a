/**
 * A small site with one fault for each tool, on loopback. A tool that finds nothing there did not
 * work, also if it finds nothing in the program.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { AuditTarget } from './tool.ts';

const PAGE = `<!doctype html>
<html lang="en"><head><title>Faulty</title></head><body>
<p><div>A block inside a paragraph</div></p>
<a href="/missing">A broken link</a>
<form action="/search" method="get"><input name="q" value="a"><button>Search</button></form>
</body></html>`;

const LARGE_FILE = Buffer.alloc(1024 * 1024, 'x');

export async function startFaultySite(server: pg.ClientConfig): Promise<{ target: AuditTarget; stop(): Promise<void> }> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create temporary table notes as select 'asha' as owner, 'a note' as text`);

  const respond = async ({ method, url = '/' }: IncomingMessage, body: string, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const html = { 'content-type': 'text/html', 'content-security-policy': "script-src 'unsafe-inline' *" };
    if (pathname === '/') return response.writeHead(200, html).end(PAGE);
    if (pathname === '/search') return response.writeHead(200, html).end(`<p>Results for ${searchParams.get('q')}</p>`);
    if (pathname === '/.env') return response.writeHead(200).end('SECRET=open');
    if (pathname === '/large') return response.writeHead(200).end(LARGE_FILE);
    if (pathname === '/notes' && method === 'POST') {
      const { owner } = JSON.parse(body) as { owner: string };
      const { rows } = await client.query(`select text from notes where owner = '${owner}'`);
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
    }
    return response.writeHead(404).end();
  };
  const site = createServer({ headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
    request
      .toArray()
      .then((chunks) => respond(request, Buffer.concat(chunks as Buffer[]).toString(), response))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');

  const target: AuditTarget = {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    cookie: 'session=none',
    pages: [{ title: '/', path: '/' }],
    responses: [{ title: 'document', method: 'GET', path: '/' }],
    injectable: [
      { title: 'notes', method: 'POST', path: '/notes', headers: { 'content-type': 'application/json' }, body: '{"owner":"asha"}' },
    ],
    largeFile: '/large',
  };
  const stop = async () => {
    site.closeAllConnections();
    site.close();
    await client.end();
  };
  return { target, stop };
}
