/** Messages go out once or not at all. Reliability bar, R2. */
import { expect, test } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { transaction } from '../../db/database.server.ts';
import { NotTaken, type TextGateway } from './provider.server.ts';
import { createMessages, sweepMessages } from './service.server.ts';
import { messageState, queueMessage } from './store.server.ts';

const program = useProgram();

const queue = (text = '123456 is your code') =>
  transaction(program.db, (tx) =>
    queueMessage(tx, { browser_hash: Buffer.from('browser'), mobile: newMobile(), text, code: '123456' }, program.clock.now()),
  );

/** A gateway that answers as the list says, and then takes everything. */
function gatewayThat(...fails: (Error | undefined)[]) {
  const texts: string[] = [];
  const gateway: TextGateway = {
    keepsTexts: false,
    send: async ({ text }) => {
      texts.push(text);
      const failure = fails.shift();
      if (failure) throw failure;
    },
  };
  return { gateway, texts };
}

const messagesOver = (gateway: TextGateway) =>
  createMessages({ db: program.db, clock: program.clock, gateway, onFailure: (error) => expect.fail(String(error)) });

const stored = (id: number) =>
  program.db.selectFrom('outbox_messages').select(['state', 'text', 'code']).where('id', '=', id).executeTakeFirstOrThrow();

test('a message that went out is not kept in readable form', async () => {
  const { gateway, texts } = gatewayThat();
  const id = await queue();
  expect(await messagesOver(gateway).deliver(id)).toBe(true);
  expect(texts).toHaveLength(1);
  expect(await stored(id)).toEqual({ state: 'sent', text: '', code: null });
});

test('two processes that wake at once send it once', async () => {
  const { gateway, texts } = gatewayThat();
  const ids = await Promise.all(Array.from({ length: 10 }, () => queue()));
  const processes = [messagesOver(gateway), messagesOver(gateway), messagesOver(gateway)];
  await Promise.all(processes.flatMap((messages) => ids.map((id) => messages.deliver(id))));
  expect(texts).toHaveLength(10);
});

test('a gateway that surely did not take it is asked again; one that may have taken it is not', async () => {
  const refusing = gatewayThat(new NotTaken('busy'));
  const id = await queue();
  const delivery = messagesOver(refusing.gateway).deliver(id);
  // The second attempt is due a second later, by the program's clock.
  await expect.poll(() => refusing.texts.length).toBe(1);
  program.clock.advance(1);
  expect(await delivery).toBe(true);
  expect(refusing.texts).toHaveLength(2);

  const silent = gatewayThat(new Error('the connection broke'));
  const lost = await queue();
  expect(await messagesOver(silent.gateway).deliver(lost)).toBe(false);
  program.clock.advance(5);
  expect(await messagesOver(silent.gateway).deliver(lost)).toBe(false);
  expect(silent.texts).toHaveLength(1);
  expect(await stored(lost)).toEqual({ state: 'failed', text: '', code: null });
});

test('what a stopped process left behind goes out while somebody waits for it, and never later', async () => {
  const { gateway, texts } = gatewayThat();
  const [fresh, stale] = [await queue('fresh'), await queue('stale')];
  program.clock.advance(5);
  await program.db.updateTable('outbox_messages').set({ created_at: program.clock.now() }).where('id', '=', fresh).execute();
  program.clock.advance(6);
  await messagesOver(gateway).deliver(await queue('another'));
  expect(texts.toSorted()).toEqual(['another', 'fresh']);
  expect(await messageState(program.db, stale)).toBe('withdrawn');
});

test('messages leave after a day', async () => {
  const id = await queue();
  program.clock.advance(24 * 60 * 60 + 1);
  await sweepMessages(program.db, program.clock.now());
  expect(await messageState(program.db, id)).toBeUndefined();
});
