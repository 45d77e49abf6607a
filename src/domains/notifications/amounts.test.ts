/** The amounts of an order are equal on page and bill, in messages, and in the ledger. */
import { expect, test } from 'vitest';
import { receivedTexts, sendDueMessages, senderOptions, startMessageGateway } from '../../../test/support/message-sender.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { getOrder, PROGRESS_STAGES, UNDO_SECONDS } from '../orders/contract.ts';
import * as orders from '../orders/service.server.ts';
import { getOrderPayments, payWithWallet } from '../payments/contract.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { auditLedger, creditWallet, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';

const program = useProgram();
const gateway = await startMessageGateway();

/** An order of 7.53 kg at ₹38, its half, and the rest in cash. */
const [DUE, HALF, CASH] = [asPaise(28_614), asPaise(14_307), asPaise(10_000)];
const CREDIT = asPaise(20_000);
const asMessage = (amount: Paise) => `Rs.${(amount / 100).toFixed(2)}`;

test('page, bill, messages and ledger have the same amounts of a delivered order that is paid in part', async () => {
  const customer = await newOrderingCustomer(program);
  const { caller, userid } = customer;
  const credit = { kind: 'promotion', amountPaise: CREDIT, reason: 'A test', reference: newId() } as const;
  await creditWallet(program.db, { ...credit, customerId: userid, at: program.clock.now() });
  const { orderid } = await place(customer);
  await orders.weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await orders.moveOrder(program.db, orderid, 'queue', program.clock.now());
  await caller.send(payWithWallet, { orderid, walletpayment: HALF });
  await transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: CASH }, program.clock.now()),
  );
  for (const { stage } of PROGRESS_STAGES.slice(2))
    await orders.moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
  program.clock.advance(UNDO_SECONDS);
  await sendDueMessages(senderOptions(program, gateway));

  // The page of the order and the bill show these two responses.
  const shown = (await caller.send(getOrder, { orderid })).data?.[0];
  const payments = (await caller.send(getOrderPayments, { orderid })).data;
  expect(shown).toMatchObject({ washing_stage: 'delivered', total_amount: DUE, amount_paid: HALF + CASH });
  expect(payments).toMatchObject({ rest: DUE - HALF - CASH, returned: 0 });
  expect(payments?.paid.map(({ method, amount }) => ({ method, amount }))).toEqual([
    { method: 'wallet', amount: HALF },
    { method: 'cash', amount: CASH },
  ]);
  expect(shown?.history.flatMap(({ kind, amount }) => (kind === 'paid' ? [amount] : []))).toEqual([HALF, CASH]);

  expect(receivedTexts(gateway, customer).flatMap((text) => text.match(/Rs\.[\d.]*\d/g) ?? [])).toEqual(
    [DUE, HALF, DUE - HALF - CASH, CASH, DUE - HALF - CASH].map((amount) => asMessage(asPaise(amount))),
  );

  const stored = await program.db.selectFrom('payments').select('amount_paise').where('order_id', '=', orderid).execute();
  expect(stored.reduce((sum, { amount_paise: amount }) => sum + amount, 0)).toBe(shown!.amount_paid);
  const movements = (await caller.send(getTransactions, { userid })).data ?? [];
  expect(movements.filter(({ t_order: of }) => of === orderid)).toMatchObject([{ t_type: 'paid', t_amount: HALF }]);
  expect(await readBalance(program.db, userid)).toBe(CREDIT - HALF);
  expect(isSound(await auditLedger(program.db))).toBe(true);
});
