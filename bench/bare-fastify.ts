/**
 * A Fastify server that only sends one document: `node bench/bare-fastify.ts <port> <file>`. The
 * file contains { headers, body }, the body as base64.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import Fastify from 'fastify';

const [port = '', file = ''] = process.argv.slice(2);
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string };
const bytes = Buffer.from(body, 'base64');

const app = Fastify();
app.get('/', (_request, reply) => reply.headers(headers).send(bytes));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => void app.close());
