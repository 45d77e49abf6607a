import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';

const https = useProgram({ PUBLIC_URL: 'https://laundry.example' });
const http = useProgram();

const PATHS = ['livez', 'robots.txt', 'nowhere', '%zz', 'reviews/nothing.php'];

test.each(PATHS)('/%s makes browsers use https, if PUBLIC_URL does', async (path) => {
  expect((await https.caller().get(path)).headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await http.caller().get(path)).headers['strict-transport-security']).toBeUndefined();
});

test.each([
  ['a missing host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
  ['an unknown expectation', 'GET /livez HTTP/1.1\r\nhost: localhost\r\nexpect: foo\r\n\r\n', 417],
  ['a header that cannot be parsed', 'GET /livez HTTP/1.1\r\nhost: localhost\r\nno header\r\n\r\n', 400],
])('a request with %s gets the security headers, and its connection is closed', async (_what, request, status) => {
  const { server } = https.app;
  if (!server.listening) await https.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  const response = await text(socket);
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  for (const header of ['connection: close', 'x-content-type-options: nosniff', 'strict-transport-security: ', 'content-security-policy: '])
    expect(response).toContain(header);
});
