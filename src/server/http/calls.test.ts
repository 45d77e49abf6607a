import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { getAddress } from '../../domains/addresses/contract.ts';
import { getOrders } from '../../domains/orders/contract.ts';
import { payWithWallet } from '../../domains/payments/contract.ts';
import { asPaise } from '../../lib/money.ts';
import { defineCall, noBody } from '../../contract/define-call.ts';
import { encodeOnce, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { callsPlugin } from './calls.server.ts';

const METRICS_TOKEN = 'a token of the tests, long enough';
const program = useProgram({ METRICS_TOKEN });

const completedRequests = ({ log }: { log: string[] } = program) =>
  log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request completed')
    .map(({ route, status, code }) => ({ route, status, code }));

test('the error code of every failed call is in the log and the metrics, by route', async () => {
  const customer = await newOrderingCustomer(program);
  const { caller, userid } = customer;
  const { orderid } = await place(customer);
  const { path } = payWithWallet;
  program.log.length = 0;

  const payment = { userid, orderid, walletpayment: asPaise(100), walletbalance: 0 };
  await caller.send(payWithWallet, payment);
  await caller.send(payWithWallet, payment);
  await caller.send(getAddress, { userid, addressid: 'UNKNOWN' });
  await caller.send(getOrders, { userid });
  await caller.post(path, { orderid: 7 });
  await caller.post('orders/unknown', {});
  await program.caller().post(path, { userid, orderid, walletpayment: 1 });

  expect(completedRequests()).toEqual([
    { route: `/${path}`, status: 200, code: 'not-payable-yet' },
    { route: `/${path}`, status: 200, code: 'not-payable-yet' },
    { route: `/${getAddress.path}`, status: 200, code: 'address-not-found' },
    { route: `/${getOrders.path}`, status: 200, code: undefined },
    { route: `/${path}`, status: 400, code: 'invalid-value' },
    { route: '/orders/*', status: 404, code: 'no-such-call' },
    { route: `/${path}`, status: 401, code: 'login-required' },
  ]);
  const { body } = await program.caller().get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  expect(body.split('\n').filter((line) => line.startsWith('call_errors_total{'))).toEqual([
    `call_errors_total{route="/${path}",code="not-payable-yet"} 2`,
    `call_errors_total{route="/${getAddress.path}",code="address-not-found"} 1`,
    `call_errors_total{route="/${path}",code="invalid-value"} 1`,
    'call_errors_total{route="/orders/*",code="no-such-call"} 1',
    `call_errors_total{route="/${path}",code="login-required"} 1`,
  ]);
});

describe('with LOG_SUCCESSES=0', () => {
  const quiet = useProgram({ LOG_SUCCESSES: '0' });

  test('only requests that fail are logged', async () => {
    const customer = await newOrderingCustomer(quiet);
    const { caller, userid } = customer;
    quiet.log.length = 0;
    await caller.send(getOrders, { userid });
    await caller.send(getAddress, { userid, addressid: 'UNKNOWN' });
    await caller.post('orders/unknown', {});
    expect(completedRequests(quiet).map(({ code }) => code)).toEqual(['address-not-found', 'no-such-call']);
  });
});

test('responses with an envelope that is encoded once send the same bytes', async () => {
  const app = Fastify();
  const sent: unknown[] = [];
  app.addHook('onSend', async (_request, _reply, payload) => void sent.push(payload));
  const envelope = encodeOnce(succeed('Found', { id: 'नमस्ते' }));
  const call = defineCall({
    path: 'samples/get.php',
    method: 'GET',
    caller: 'anyone',
    summary: '',
    errors: {},
    body: noBody,
    data: z.object({ id: z.string() }),
  });
  const registerCalls = (registerRoute: RegisterRoute) => registerRoute(call, async () => envelope);
  await app.register(callsPlugin({ registerCalls, publicOrigin: undefined, clock: program.clock, pageFolders: [] }));
  const bodies = [await app.inject('/samples/get'), await app.inject('/samples/get.php')].map((response) => response.json());
  expect(bodies).toEqual([envelope, envelope]);
  expect(sent[0]).toBeInstanceOf(Buffer);
  expect(sent[1]).toBe(sent[0]);
  await app.close();
});
