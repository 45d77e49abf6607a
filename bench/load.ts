/** Many clients who each wait for their answer before they ask again. */
import http from 'node:http';

export interface Load {
  clients: number;
  requests: number;
  url: string;
  /** The request with this number; numbers run from 0 and none comes twice. */
  request(number: number): { body: string; cookie: string };
  /** What an answer must hold to count. */
  expects: string;
}

/** Requests a second. An answer that is none ends the run. */
export async function load({ clients, requests, url, request, expects }: Load): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  let next = 0;
  const post = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const { body, cookie } = request(number);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), cookie };
      const asked = http.request(url, { agent, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => void (text += chunk));
        response.on('end', () => (text.includes(expects) ? resolve() : reject(new Error(`answered ${response.statusCode}: ${text}`))));
      });
      asked.once('error', reject);
      asked.end(body);
    });
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < requests) await post(next++);
    }),
  );
  agent.destroy();
  return requests / ((performance.now() - began) / 1000);
}
