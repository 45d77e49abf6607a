/** Reliability bar, R2 and the number rule of A2: what customers, phones and other pages see of a gateway that works and of one that does not. */
import { fail } from '../../contract/route.server.ts';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { codeIn, MSG91_KEY, MSG91_TEMPLATE, startMsg91 } from '../../../test/support/msg91-stand-in.ts';
import { useProgram } from '../../../test/support/program.ts';
import { SERVICE_FAILURES, SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { transaction } from '../../db/database.server.ts';
import { SERVICE_TIMEOUTS } from '../../lib/http-client.server.ts';
import { programsAndReviews } from '../catalogue/contract.ts';
import { confirmCode, sendCode, verificationError } from '../verification/contract.ts';
import { codeText } from '../verification/rules.ts';
import { msg91 } from './providers/msg91.server.ts';
import { createMessages, deleteExpiredMessages } from './service.server.ts';
import { queueMessage } from './store.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';

const registered = codeText('##code##', { brand: 'Dhulai', host: 'laundry.example' });
const gateway = await startMsg91(registered);
const settings = {
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: MSG91_KEY,
  MSG91_TEMPLATE_ID: MSG91_TEMPLATE,
  MSG91_URL: `${gateway.url}/api/v5/flow`,
  PUBLIC_URL: 'https://laundry.example',
  BOT_CHECK: 'off',
};
const program = useProgram(settings, { timeouts: SHORT_TIMEOUTS });

const ask = (mobile: string, caller = program.caller()) => caller.send(sendCode, { mobile, purpose: 'signup', challenge: '' });

const confirm = (mobile: string, code: string, caller: ReturnType<typeof program.caller>) =>
  caller.send(confirmCode, { mobile, purpose: 'signup', code });

const rowOf = (mobile: string) =>
  program.db.selectFrom('outbox_messages').select(['state', 'text', 'code']).where('mobile', '=', mobile).executeTakeFirstOrThrow();

/** A message as `sendcode` queues it. */
const queued = () =>
  transaction(program.db, (tx) =>
    queueMessage(tx, { browser_hash: Buffer.from('browser'), mobile: newMobile(), text: 'x', code: '012345' }, program.clock.now()),
  );

/** What another process of the program would send with. */
const anotherProcess = () =>
  createMessages({
    db: program.db,
    clock: program.clock,
    gateway: msg91({ authKey: MSG91_KEY, templateId: MSG91_TEMPLATE, url: gateway.url, attemptMs: SHORT_TIMEOUTS.attemptMs }),
    timeouts: SHORT_TIMEOUTS,
    onFailure: (error) => expect.fail(String(error)),
  });

const soon = () => AbortSignal.timeout(SHORT_TIMEOUTS.sendMs);

const REST_SECONDS = 30;

beforeEach(async () => {
  gateway.behave();
  // Failures of the test before must not count in this one.
  program.clock.advance(REST_SECONDS);
  await ask(newMobile());
  gateway.phones.length = 0;
  gateway.requests.length = 0;
});

describe('a gateway that works', () => {
  test('fills the registered template; WebOTP reads its last line; the code confirms', async () => {
    const [caller, mobile] = [program.caller(), newMobile()];
    expect(await ask(mobile, caller)).toMatchObject({ response: 'success', message: `SMS sent successfully on +91${mobile}` });
    const [{ text, mobile: to } = { text: '', mobile: '' }] = gateway.phones;
    expect(to).toBe(`91${mobile}`);
    const code = codeIn(text);
    expect(text).toBe(codeText(code, { brand: 'Dhulai', host: 'laundry.example' }));
    expect(text.split('\n').at(-1)).toBe(`@laundry.example #${code}`);
    expect(await confirm(mobile, code, caller)).toMatchObject({ response: 'success' });
  });

  test('leaves no text and no code behind, neither in the table nor in the log', async () => {
    const mobile = newMobile();
    await ask(mobile);
    expect(await rowOf(mobile)).toEqual({ state: 'sent', text: '', code: null });
    const [{ text } = { text: '' }] = gateway.phones;
    expect(program.log.filter((line) => [mobile, codeIn(text), MSG91_KEY].some((secret) => line.includes(secret)))).toEqual([]);
  });

  test('is given the text that the operator was told to register', async () => {
    expect(await readFile('docs/operations.md', 'utf8')).toContain(`\n${registered}\n`);
  });

  test('a message goes out once, however many processes deliver it', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => queued()));
    const processes = [anotherProcess(), anotherProcess(), anotherProcess()];
    const told = await Promise.all(processes.flatMap((messages) => ids.map((id) => messages.deliver(id, soon()))));
    expect(told.filter(Boolean)).toHaveLength(ids.length);
    expect(gateway.phones).toHaveLength(ids.length);
  });

  test('a message leaves the table after a day', async () => {
    const mobile = newMobile();
    await ask(mobile);
    program.clock.advance(DAY_SECONDS + 1);
    await deleteExpiredMessages(program.db, program.clock.now());
    await expect(rowOf(mobile)).rejects.toThrow('no result');
  });
});

describe('a gateway that fails', () => {
  test('is asked again when it surely took nothing, and the customer notices nothing', async () => {
    const busy = { status: 503, text: 'busy' };
    const limited = { status: 429, json: { type: 'error' } };
    // The last of these is what stays: a well-behaved answer.
    gateway.behave([busy, limited, { status: 200, json: { type: 'success', message: '1' } }]);
    const mobile = newMobile();
    expect(await ask(mobile)).toMatchObject({ response: 'success' });
    expect(gateway.requests).toHaveLength(3);
    expect(await rowOf(mobile)).toMatchObject({ state: 'sent' });
  });

  test('is reached once it is up again within the time', async () => {
    await gateway.down();
    const mobile = newMobile();
    const asked = ask(mobile);
    await expect
      .poll(() => program.db.selectFrom('outbox_messages').select('state').where('mobile', '=', mobile).execute())
      .toEqual([{ state: 'sending' }]);
    await gateway.up();
    expect(await asked).toMatchObject({ response: 'success' });
    expect(gateway.phones).toHaveLength(1);
  });

  test('is given up when it stays down; the message is withdrawn', async () => {
    await gateway.down();
    const mobile = newMobile();
    const answer = await ask(mobile);
    await gateway.up();
    expect(answer).toEqual(fail(verificationError('sms-not-sent', { mobile })));
    expect(await rowOf(mobile)).toEqual({ state: 'withdrawn', text: '', code: null });
  });

  test.each(SERVICE_FAILURES)('$name: the specified text, one message at most, and its code is void', async ({ reply }) => {
    // The worst case: it delivers, and does not say so.
    gateway.behave([reply], { delivering: true });
    const [caller, mobile] = [program.caller(), newMobile()];
    expect(await ask(mobile, caller)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
    expect(gateway.phones).toHaveLength(1);
    expect(await rowOf(mobile)).toEqual({ state: 'failed', text: '', code: null });
    const late = codeIn(gateway.phones[0]!.text);
    expect(await confirm(mobile, late, caller)).toMatchObject({ response: 'error', ...verificationError('out-of-attempts') });
  });

  test('is not asked again for what it will never take; the log says why, without the number', async () => {
    gateway.behave([{ status: 400, json: { type: 'error', message: 'Invalid mobile 919812345678' } }]);
    const mobile = newMobile();
    expect(await ask(mobile)).toMatchObject({ response: 'error', ...verificationError('sms-not-sent', { mobile }) });
    expect(gateway.requests).toHaveLength(1);
    expect(program.log.filter((line) => line.includes('MSG91 returned 400: Invalid mobile …'))).not.toEqual([]);
    expect(program.log.filter((line) => line.includes('919812345678') || line.includes(mobile))).toEqual([]);
  });

  test.each(['waiting', 'sending'])('a process that stopped while a message was %s: it never goes out', async (state) => {
    const { db, clock } = program;
    const id = await queued();
    await db.updateTable('outbox_messages').set({ state }).where('id', '=', id).execute();
    clock.advance(61);
    await deleteExpiredMessages(db, clock.now());
    expect(await anotherProcess().deliver(id, soon())).toBe(false);
    expect(gateway.requests).toHaveLength(0);
    const row = db.selectFrom('outbox_messages').select(['state', 'text', 'code']).where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ state: 'withdrawn', text: '', code: null });
  });

  test('rests after five failures in a row, is tried once after half a minute, and then serves everyone again', async () => {
    gateway.behave([{ status: 500, text: 'oops' }]);
    for (let failure = 0; failure < 5; failure++) await ask(newMobile());
    expect(gateway.requests).toHaveLength(5);

    const refused = newMobile();
    expect(await ask(refused)).toMatchObject({ response: 'error', ...verificationError('sms-not-sent', { mobile: refused }) });
    expect(gateway.requests).toHaveLength(5);

    program.clock.advance(REST_SECONDS);
    gateway.behave(['hang']);
    await Promise.all([ask(newMobile()), ask(newMobile()), ask(newMobile())]);
    expect(gateway.requests).toHaveLength(6);

    program.clock.advance(REST_SECONDS);
    gateway.behave();
    expect(await ask(newMobile())).toMatchObject({ response: 'success' });
    expect(await ask(newMobile())).toMatchObject({ response: 'success' });
  });
});

describe('a gateway that does not answer', () => {
  // Its pages wait as long as in earnest: the test, and not the time, ends their wait.
  const patient = useProgram(settings);

  test('keeps no other page waiting, with more customers waiting for it than there are database connections', async () => {
    gateway.behave(['hang']);
    let answered = 0;
    const waiting = Array.from({ length: 15 }, () => ask(newMobile(), patient.caller()).finally(() => (answered += 1)));
    await expect.poll(() => gateway.requests.length, { timeout: 5000 }).toBe(waiting.length);
    expect(await patient.caller().send(programsAndReviews, {})).toMatchObject({ response: 'success' });
    expect((await patient.caller().get('livez')).statusCode).toBe(200);
    expect(answered).toBe(0);
    await gateway.down();
    await Promise.all(waiting);
    await gateway.up();
  });
});

test.each(['0123456789', '1987654321', '5999999999'])('%s can be no Indian mobile: nothing is spent on it', async (mobile) => {
  expect(await ask(mobile)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
  expect(gateway.requests).toHaveLength(0);
  expect(await program.db.selectFrom('verification_codes').select('id').where('mobile', '=', mobile).execute()).toEqual([]);
});

test('the page is told within 10 s', () => {
  expect(SERVICE_TIMEOUTS.attemptMs).toBeLessThan(SERVICE_TIMEOUTS.sendMs);
  expect(SERVICE_TIMEOUTS.sendMs).toBeLessThanOrEqual(9000);
});
