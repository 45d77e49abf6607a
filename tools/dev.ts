/**
 * `npm run dev`: runs the program under Vite, with hot reload in the browser and reload of server
 * code. The console of the staff is built again after a change; reload its page then.
 */
import { createServer as createHttpServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { build, createServer, isRunnableDevEnvironment } from 'vite';
import type * as main from '../src/main.ts';

type DevProgram = typeof main.devProgram;

const http = createHttpServer();
const vite = await createServer({ server: { middlewareMode: true, hmr: { server: http } }, appType: 'custom' });
const server = vite.environments.ssr;
if (!isRunnableDevEnvironment(server)) throw new Error('Vite provides no server environment that can run code');
const { runner } = server;

let current: { make: DevProgram; app: Promise<FastifyInstance> } | undefined;

/** Returns the app of the current code. After a change the runner returns a new module. */
async function program(): Promise<FastifyInstance> {
  const { devProgram } = (await runner.import('/src/main.ts')) as { devProgram: DevProgram };
  // The promise is stored, so that concurrent requests after a change start one program.
  if (current?.make !== devProgram) {
    current = { make: devProgram, app: replaceApp(current?.app, devProgram) };
    current.app.catch(() => {
      current = undefined;
    });
  }
  return current.app;
}

/** Closes the previous app, so that its port and jobs end before the new app starts. */
async function replaceApp(previous: Promise<FastifyInstance> | undefined, make: DevProgram): Promise<FastifyInstance> {
  await previous?.then(
    (app) => app.close(),
    () => {},
  );
  const app = await make();
  await app.ready();
  return app;
}

http.on('request', (request, response) => {
  vite.middlewares(request, response, async () => {
    try {
      (await program()).routing(request, response);
    } catch (error) {
      vite.ssrFixStacktrace(error as Error);
      console.error(error);
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String((error as Error).stack));
    }
  });
});

// The program reads the built console when it starts.
const watcher = await build({ configFile: 'vite.console.config.ts', logLevel: 'warn', build: { watch: {} } });
await new Promise<void>((resolve) => {
  if (!('on' in watcher)) return resolve();
  watcher.on('event', ({ code }) => {
    if (code === 'END') resolve();
  });
});

await program();
const port = Number(process.env.PORT ?? 3000);
http.listen(port, () => console.log(`Development: http://localhost:${port}`));
