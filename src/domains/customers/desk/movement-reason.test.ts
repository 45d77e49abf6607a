import { expect, test } from 'vitest';
import type { Translate } from '../../../i18n/language.tsx';
import type { WalletMovement } from './contract.ts';
import { movementReason } from './movement-reason.ts';

const t = ((text: string) => `[${text}]`) as Translate;

test.each<[Pick<WalletMovement, 'kind' | 'cause'>, string | undefined]>([
  [{ kind: 'change', cause: 'overpaid' }, '[Paid too much]'],
  [{ kind: 'compensation', cause: 'report' }, '[A report]'],
  [{ kind: 'change', cause: 'taken-back' }, 'Stored'],
  [{ kind: 'cashback', cause: null }, 'Stored'],
  [{ kind: 'payout' }, 'Stored'],
  [{ kind: 'change', cause: null }, undefined],
  [{ kind: 'paid', cause: null }, undefined],
])('of %j: a cause of the program is translated, a reason of a person is not', (movement, text) => {
  expect(movementReason({ t }, { ...movement, reason: 'Stored' } as WalletMovement)).toBe(text);
});
