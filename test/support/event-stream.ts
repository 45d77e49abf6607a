/** A client of server-sent events, for tests over real HTTP. */
import { onTestFinished } from 'vitest';
import { orderEventsUrl } from '../../src/domains/orders/contract.ts';
import type { Caller } from './caller.ts';

export interface TestStream {
  status: number;
  headers: Headers;
  /** Resolves to the data of the next event, or to undefined once the stream has ended. */
  next(): Promise<string | undefined>;
}

/** Opens the stream of an order with the cookies of `caller`. The end of the test closes it. */
export async function openOrderEvents(origin: string, { cookies }: Pick<Caller, 'cookies'>, orderid: string): Promise<TestStream> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const { signal } = closing;
  const response = await fetch(origin + orderEventsUrl(orderid), { headers: { cookie }, signal });
  const events = dataOf(response);
  const next = async () => (await events.next().catch(() => undefined))?.value ?? undefined;
  return { status: response.status, headers: response.headers, next };
}

async function* dataOf({ body }: Response) {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) yield data;
    }
  }
}
