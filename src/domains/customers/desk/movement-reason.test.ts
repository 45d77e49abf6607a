import { expect, test } from 'vitest';
import type { Message } from '../../../i18n/messages.ts';
import { movementReason } from './movement-reason.ts';

const formatMessage = (message: Message) =>
  typeof message === 'object' && 'key' in message ? `[${message.key}] ${Object.values(message.values).join(' ')}` : `[${String(message)}]`;

test.each([
  ['Paid too much for order 5R8ZTNGJK62H', '[Paid too much for order {id}] 5R8ZTNGJK62H'],
  ['Report c1-2', '[Report {id}] c1-2'],
  ['Referral bonus', '[Referral bonus]'],
  ['Report of a lost sock', 'Report of a lost sock'],
])('of the reason %j, a text of the program is translated', (reason, text) => {
  expect(movementReason({ formatMessage }, reason)).toBe(text);
});
