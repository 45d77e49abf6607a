/**
 * The effects of a working and of a failing SMS gateway on customers, phones and other pages
 * (docs/security.md, R2 and the rule for numbers of A2).
 */
import { fail } from '../../contract/route.server.ts';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { codeIn, MSG91_KEY, MSG91_TEMPLATE, startMsg91 } from '../../../test/support/msg91-stand-in.ts';
import { useProgram } from '../../../test/support/program.ts';
import { SERVICE_FAILURES, SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { transaction } from '../../db/database.server.ts';
import { programsAndReviews } from '../catalogue/contract.ts';
import { confirmCode, sendCode, verificationError } from '../verification/contract.ts';
import { codeText } from '../verification/rules.ts';
import { msg91 } from './providers/msg91.server.ts';
import { MESSAGE_TIMEOUTS } from './provider.server.ts';
import { createMessages, deleteExpiredMessages } from './service.server.ts';
import { insertMessage } from './store.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const registeredText = codeText('##code##', { brand: 'Dhulai', host: 'laundry.example' });
const gateway = await startMsg91(registeredText);
const settings = {
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: MSG91_KEY,
  MSG91_TEMPLATE_ID: MSG91_TEMPLATE,
  MSG91_URL: `${gateway.url}/api/v5/flow`,
  PUBLIC_URL: 'https://laundry.example',
  BOT_CHECK: 'off',
};
const program = useProgram(settings, { timeouts: SHORT_TIMEOUTS });

let networks = 0;
/** A caller in a network of its own. */
const newCaller = ({ caller } = program) => caller({ ip: `10.${(networks += 1)}.0.1` });

const requestCode = (mobile: string, caller = newCaller()) => caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });

const confirm = (mobile: string, code: string, caller: ReturnType<typeof program.caller>) =>
  caller.send(confirmCode, { mobile, purpose: 'signup', code });

const rowOf = (mobile: string) =>
  program.db.selectFrom('outbox_messages').select(['state', 'text', 'code']).where('mobile', '=', mobile).executeTakeFirstOrThrow();

/** A message as `sendcode` queues it. */
const queued = () =>
  transaction(program.db, (tx) =>
    insertMessage(tx, { browser_hash: Buffer.from('browser'), mobile: newMobile(), text: 'x', code: '012345' }, program.clock.now()),
  );

/** The messages service of another process of the program. */
const anotherProcess = () =>
  createMessages({
    db: program.db,
    clock: program.clock,
    gateway: msg91({ authKey: MSG91_KEY, templates: { code: MSG91_TEMPLATE }, url: gateway.url, attemptMs: SHORT_TIMEOUTS.attemptMs }),
    firstRetryMs: SHORT_TIMEOUTS.firstRetryMs,
    onFailure: (error) => expect.fail(String(error)),
  });

const deadline = () => AbortSignal.timeout(SHORT_TIMEOUTS.sendMs);

const BREAKER_OPEN_SECONDS = 30;

beforeEach(async () => {
  gateway.behave();
  // Resets the circuit breaker after failures of the previous test.
  program.clock.advance(BREAKER_OPEN_SECONDS);
  await requestCode(newMobile());
  gateway.phones.length = 0;
  gateway.requests.length = 0;
});

describe('a working gateway', () => {
  test('sends the code in the registered text with a WebOTP line', async () => {
    const [caller, mobile] = [newCaller(), newMobile()];
    expect(await requestCode(mobile, caller)).toMatchObject({ response: 'success', message: `SMS sent successfully on +91${mobile}` });
    const [{ text, mobile: to } = { text: '', mobile: '' }] = gateway.phones;
    expect(to).toBe(`91${mobile}`);
    const code = codeIn(text);
    expect(text).toBe(codeText(code, { brand: 'Dhulai', host: 'laundry.example' }));
    expect(text.split('\n').at(-1)).toBe(`@laundry.example #${code}`);
    expect(await confirm(mobile, code, caller)).toMatchObject({ response: 'success' });
  });

  test('text and code are in neither the table nor the log after sending', async () => {
    const mobile = newMobile();
    await requestCode(mobile);
    expect(await rowOf(mobile)).toEqual({ state: 'sent', text: '', code: null });
    const [{ text } = { text: '' }] = gateway.phones;
    expect(program.log.filter((line) => [mobile, codeIn(text), MSG91_KEY].some((secret) => line.includes(secret)))).toEqual([]);
  });

  test('docs/operations.md contains the text to register', async () => {
    expect(await readFile('docs/operations.md', 'utf8')).toContain(`\n${registeredText}\n`);
  });

  test('sends a message once if several processes deliver it', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => queued()));
    const processes = [anotherProcess(), anotherProcess(), anotherProcess()];
    const results = await Promise.all(processes.flatMap((messages) => ids.map((id) => messages.deliver(id, deadline()))));
    expect(results.filter(Boolean)).toHaveLength(ids.length);
    expect(gateway.phones).toHaveLength(ids.length);
  });

  test('deletes a message after a day', async () => {
    const mobile = newMobile();
    await requestCode(mobile);
    program.clock.advance(DAY_SECONDS + 1);
    await deleteExpiredMessages(program.db, program.clock.now());
    await expect(rowOf(mobile)).rejects.toThrow('no result');
  });
});

describe('a failing gateway', () => {
  test('is retried if it certainly did not accept the message', async () => {
    const busy = { status: 503, text: 'busy' };
    const limited = { status: 429, json: { type: 'error' } };
    // The stand-in repeats the last reply, which is a success.
    gateway.behave([busy, limited, { status: 200, json: { type: 'success', message: '1' } }]);
    const mobile = newMobile();
    expect(await requestCode(mobile)).toMatchObject({ response: 'success' });
    expect(gateway.requests).toHaveLength(3);
    expect(await rowOf(mobile)).toMatchObject({ state: 'sent' });
  });

  test('is retried until it is up again before the deadline', async () => {
    await gateway.down();
    const mobile = newMobile();
    const response = requestCode(mobile);
    await expect
      .poll(() => program.db.selectFrom('outbox_messages').select('state').where('mobile', '=', mobile).execute())
      .toEqual([{ state: 'sending' }]);
    await gateway.up();
    expect(await response).toMatchObject({ response: 'success' });
    expect(gateway.phones).toHaveLength(1);
  });

  test('a message is withdrawn if the gateway stays down until the deadline', async () => {
    await gateway.down();
    const mobile = newMobile();
    const response = await requestCode(mobile);
    await gateway.up();
    expect(response).toEqual(fail(verificationError('sms-not-sent', { mobile })));
    expect(await rowOf(mobile)).toEqual({ state: 'withdrawn', text: '', code: null });
  });

  test.each(SERVICE_FAILURES)('$name: returns the specified error, sends at most one message and voids its code', async ({ reply }) => {
    // The worst case: the gateway delivers the message and does not confirm it.
    gateway.behave([reply], { delivering: true });
    const [caller, mobile] = [newCaller(), newMobile()];
    expect(await requestCode(mobile, caller)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
    expect(gateway.phones).toHaveLength(1);
    expect(await rowOf(mobile)).toEqual({ state: 'failed', text: '', code: null });
    const late = codeIn(gateway.phones[0]!.text);
    expect(await confirm(mobile, late, caller)).toMatchObject({ response: 'error', ...verificationError('out-of-attempts') });
  });

  test('is not retried after a rejection, which is logged without the number', async () => {
    gateway.behave([{ status: 400, json: { type: 'error', message: 'Invalid mobile 919812345678' } }]);
    const mobile = newMobile();
    expect(await requestCode(mobile)).toMatchObject({ response: 'error', ...verificationError('sms-not-sent', { mobile }) });
    expect(gateway.requests).toHaveLength(1);
    expect(program.log.filter((line) => line.includes('MSG91 returned 400: Invalid mobile …'))).not.toEqual([]);
    expect(program.log.filter((line) => line.includes('919812345678') || line.includes(mobile))).toEqual([]);
  });

  test.each(['waiting', 'sending'] as const)('a message is never sent if its process stopped in the state %s', async (state) => {
    const { db, clock } = program;
    const id = await queued();
    await db.updateTable('outbox_messages').set({ state }).where('id', '=', id).execute();
    clock.advance(61);
    await deleteExpiredMessages(db, clock.now());
    expect(await anotherProcess().deliver(id, deadline())).toBe(false);
    expect(gateway.requests).toHaveLength(0);
    const row = db.selectFrom('outbox_messages').select(['state', 'text', 'code']).where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ state: 'withdrawn', text: '', code: null });
  });

  test('is not called for 30 s after five consecutive failures, then once, and always after a success', async () => {
    gateway.behave([{ status: 500, text: 'oops' }]);
    for (let failure = 0; failure < 5; failure++) await requestCode(newMobile());
    expect(gateway.requests).toHaveLength(5);

    const rejected = newMobile();
    expect(await requestCode(rejected)).toMatchObject({ response: 'error', ...verificationError('sms-not-sent', { mobile: rejected }) });
    expect(gateway.requests).toHaveLength(5);

    program.clock.advance(BREAKER_OPEN_SECONDS);
    gateway.behave(['hang']);
    await Promise.all([requestCode(newMobile()), requestCode(newMobile()), requestCode(newMobile())]);
    expect(gateway.requests).toHaveLength(6);

    program.clock.advance(BREAKER_OPEN_SECONDS);
    gateway.behave();
    expect(await requestCode(newMobile())).toMatchObject({ response: 'success' });
    expect(await requestCode(newMobile())).toMatchObject({ response: 'success' });
  });
});

describe('a gateway that does not respond', () => {
  // With the timeouts of production, so that the test and not a timeout ends the calls.
  const production = useProgram(settings);

  test('delays no other page, even if more customers wait for it than there are database connections', async () => {
    gateway.behave(['hang']);
    let completed = 0;
    const waiting = Array.from({ length: 15 }, () => requestCode(newMobile(), newCaller(production)).finally(() => (completed += 1)));
    await expect.poll(() => gateway.requests.length, { timeout: 5000 }).toBe(waiting.length);
    expect(await production.caller().send(programsAndReviews, {})).toMatchObject({ response: 'success' });
    expect((await production.caller().get('livez')).statusCode).toBe(200);
    expect(completed).toBe(0);
    await gateway.down();
    await Promise.all(waiting);
    await gateway.up();
  });
});

test.each(['0123456789', '1987654321', '5999999999'])('sends nothing to %s, which is no valid Indian mobile', async (mobile) => {
  expect(await requestCode(mobile)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
  expect(gateway.requests).toHaveLength(0);
  expect(await program.db.selectFrom('verification_codes').select('id').where('mobile', '=', mobile).execute()).toEqual([]);
});

test('a page gets a response within 10 s', () => {
  expect(MESSAGE_TIMEOUTS.attemptMs).toBeLessThan(MESSAGE_TIMEOUTS.sendMs);
  expect(MESSAGE_TIMEOUTS.sendMs).toBeLessThanOrEqual(9000);
});
