/**
 * `npm run ledger`, `grant`, `order`, `claim`, `staff`: on the server of DATABASE_URL, and on the
 * embedded server with and without a running program.
 */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, transaction } from '../../src/db/database.server.ts';
import { addClaim } from '../../src/domains/claims/contract.ts';
import { getOffers } from '../../src/domains/offers/contract.ts';
import { getOrder } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { setEarlierStage } from '../../src/domains/orders/changing-store.server.ts';
import { getOrderPayments, payWithWallet } from '../../src/domains/payments/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { getAudit } from '../../src/domains/staff/desk/audit-contract.ts';
import { setStaffPassword } from '../../src/domains/staff/desk/contract.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { asPaise, formatAmount } from '../../src/lib/money.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { kolkataDay } from '../../src/lib/dates.ts';
import { ChildProgram, freePort } from '../support/program-process.ts';
import { httpCaller } from '../support/http-caller.ts';
import { moveOutForDelivery, newOrderingCustomer, newOrderingGuest, place } from '../support/ordering.ts';
import { newCustomer } from '../support/seed-customers.ts';
import { startPoolerStandIn } from '../support/pooler-stand-in.ts';
import { newStaff } from '../support/staff.ts';
import { urlOf } from '../support/postgres.ts';
import { TEST_SECRET, useProgram } from '../support/program.ts';
import { parseKilograms, parseRupees, parseWholeNumber } from '../../tools/amounts.ts';
import { UsageError } from '../../tools/run-command.ts';
import { waitForExit, initialisedFolder, postmasterPid } from './processes.ts';
import { runShared, runWith } from './run-tool.ts';

const program = useProgram({}, { clock: { ...systemClock, set: () => {}, advance: () => {} } });

const settings = () => ({ DATABASE_URL: urlOf(program.connection) });
const run = (...args: string[]) => runShared(settings(), args);

/** Places an order of Meera Nair; 7.53 kg at ₹38 are ₹286.14. */
async function placedOrder() {
  const meera = await newOrderingCustomer(program);
  const { orderid } = await place(meera);
  return { ...meera, orderid, name: `${orderid} of Meera Nair, 7.53 kg, 12 pieces` };
}

async function payableOrder() {
  const order = await placedOrder();
  await weighOrder(program.db, order.orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, order.orderid, 'queue', program.clock.now());
  return order;
}

const walletOf = ({ userid }: { userid: string }) => readBalance(program.db, userid);
/** The sum of all wallets in rupees. */
async function allWallets() {
  const { paise } = await program.db
    .selectFrom('ledger_accounts')
    .select((of) => of.fn.sum<string>('balance_paise').as('paise'))
    .executeTakeFirstOrThrow();
  return formatAmount(Number(paise));
}
const REFERENCE = '[0-9A-Z]{20}';
const referenceIn = (out: string) => new RegExp(`payment is (${REFERENCE})`).exec(out)?.[1] ?? '';

// The other tests run commands in processes that do not end.
test.each([
  ['order', 'list'],
  ['claim', 'list'],
  ['staff', 'list'],
  ['ledger', 'export'],
  ['catalogue', 'list'],
  ['grant', 'constructor'],
])('npm run %s -- %s is a process with the same output, and ends', async (...args) => {
  expect(await runWith(settings(), args)).toEqual(await run(...args));
});

test('weighs an order, moves it from stage to stage, and rejects transitions out of order', { timeout: 120_000 }, async () => {
  const { orderid, name, ...meera } = await placedOrder();
  expect((await run('order', 'list')).out).toContain(`${orderid}  pickup  Wash  not weighed  Meera Nair`);
  expect(await run('order', 'move', orderid, 'queue')).toMatchObject({
    code: 1,
    err: `The order must be weighed first. Nothing was changed: order ${orderid} of Meera Nair, not weighed; stage pickup`,
  });
  expect(await run('order', 'weigh', orderid, '7.531', '12')).toMatchObject({ code: 1, out: '' });
  expect(await run('order', 'weigh', orderid, '7.53', '12')).toEqual({
    code: 0,
    out: `Weighed: order ${name}; stage pickup, amount ₹286.14`,
    err: '',
  });
  expect(await run('order', 'receive', orderid, 'cash', '100')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Nothing was recorded: order ${name}, is at pickup.`),
  });
  expect(await run('order', 'move', orderid, 'washing')).toMatchObject({ code: 1, out: '' });
  for (const stage of ['queue', 'washing', 'delivery', 'delivered']) {
    expect(await run('order', 'move', orderid, stage)).toEqual({
      code: 0,
      out: `Moved: order ${name}; stage ${stage}, left to pay ₹286.14`,
      err: '',
    });
  }
  expect(await run('order', 'weigh', orderid, '1', '1')).toMatchObject({ code: 1 });
  const received = await run('order', 'receive', orderid, 'cash', '286.14');
  expect(received).toMatchObject({ code: 0, err: '' });
  expect(received.out.split('\n')[0]).toBe(`Recorded: cash ₹286.14 for order ${name}; left to pay ₹0.00`);
  expect((await meera.caller.send(getOrderPayments, { orderid })).data?.rest).toBe(0);
  const { data } = await meera.caller.send(getOrder, { orderid });
  expect(data?.[0]).toMatchObject({ washing_stage: 'delivered', total_weight: 7530, total_items: 12, total_amount: 28_614 });
  expect((await run('order', 'list')).out).not.toContain(orderid);
});

test('lists what came in since a time, with all that is needed to go on without the program', { timeout: 60_000 }, async () => {
  const before = await placedOrder();
  await program.db
    .updateTable('order_events')
    .set({ at: new Date('2026-01-01T12:00:00Z') })
    .where('order_id', '=', before.orderid)
    .execute();
  const order = await payableOrder();
  await run('order', 'receive', order.orderid, 'cash', '100');
  const since = (...words: string[]) => run('order', 'since', ...words);
  const { out, code } = await since(kolkataDay(program.clock.now()));
  expect(code).toBe(0);
  expect(out).not.toContain(before.orderid);
  const row = await program.db.selectFrom('orders').selectAll().where('id', '=', order.orderid).executeTakeFirstOrThrow();
  const lines = out.slice(out.indexOf(`Order ${order.orderid}`)).split('\n');
  expect(lines[0]).toBe(`Order ${order.name}; stage queue, left to pay ₹186.14`);
  expect(lines[1]).toMatch(new RegExp(`^  Wash, placed .*, pickup ${row.pickup_day}$`));
  expect(lines[2]).toContain(`mobile ${row.ship_mobile}, ${row.ship_address1}, ${row.ship_address2}`);
  expect(lines[3]).toMatch(new RegExp(`^  ${REFERENCE}  .*  cash ₹100.00$`));
  expect((await since('2026-01-01', '17:30')).out).toContain(before.orderid);
  expect((await since('2026-01-01', '17:31')).out).not.toContain(before.orderid);
  await program.db
    .updateTable('order_events')
    .set({ at: new Date('2036-01-01T12:00:00Z') })
    .where('order_id', '=', before.orderid)
    .execute();
  expect((await since('2036-01-01')).out).toMatch(/\n1 order\.$/);
  const erased = await placedOrder();
  await run('order', 'cancel', erased.orderid);
  expect(await runShared({ ...settings(), SECRET: TEST_SECRET }, ['customer', 'erase', erased.mobile, 'forfeit'])).toMatchObject({
    code: 0,
  });
  const { out: withErased } = await since(kolkataDay(program.clock.now()));
  const erasedLines = withErased.slice(withErased.indexOf(`Order ${erased.orderid} of an erased customer`)).split('\n');
  expect(erasedLines[2]).toBe(`  mobile erased, ${row.area}`);
  for (const words of [['yesterday'], ['2026-13-01'], ['2026-01-01', 'noon'], ['2026-01-01', '17:30', 'IST']]) {
    expect(await since(...words)).toMatchObject({ code: 1, out: '' });
  }
});

test('cancels an order once, credits what was paid, and brings it back', { timeout: 60_000 }, async () => {
  const order = await payableOrder();
  await run('order', 'receive', order.orderid, 'cash', '286.14');
  const cancelled = [`Cancelled: order ${order.name}.`, expect.stringContaining('₹286.14 that was paid for it is in the customer')];
  for (let round = 0; round < 2; round += 1) {
    const { code, out } = await run('order', 'cancel', order.orderid);
    expect([code, ...out.split('\n')]).toEqual([0, ...cancelled, expect.stringContaining(`undo-cancel ${order.orderid}`)]);
    expect(await walletOf(order)).toBe(28_614);
  }
  // The laundry still has the clothes.
  expect((await run('order', 'list')).out).toContain(`${order.orderid}  cancelled`);
  expect(await run('order', 'weigh', order.orderid, '1', '1')).toMatchObject({ code: 1 });
  expect(await run('order', 'undo-cancel', order.orderid)).toEqual({
    code: 0,
    out: `Active: order ${order.name}; stage queue, left to pay ₹0.00`,
    err: '',
  });
  expect(await walletOf(order)).toBe(0);
  await run('order', 'cancel', order.orderid);
  expect(await run('order', 'return', order.orderid)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Returned: order ${order.name}`),
  });
  expect((await run('order', 'list')).out).not.toContain(order.orderid);
  expect(await run('order', 'return', order.orderid)).toMatchObject({ code: 1, out: '' });
  await run('order', 'undo-cancel', order.orderid);
  await moveOrder(program.db, order.orderid, 'washing', program.clock.now());
  expect(await run('order', 'cancel', order.orderid)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Nothing was changed: order ${order.name}, is at washing.`),
  });
  expect(await run('order', 'cancel', 'NOSUCHORDER0')).toMatchObject({ code: 1, err: 'There is no such order.' });
});

test('leads to no wallet for the order of a guest, who has none', { timeout: 60_000 }, async () => {
  const guest = await newOrderingGuest(program);
  const { orderid } = await place(guest);
  await moveOutForDelivery(program, orderid);
  const { code, err } = await run('order', 'cancel', orderid);
  expect(code).toBe(1);
  expect(err).toContain('To return money for a fault: by UPI or cash, because the guest has no wallet.');
  expect(err).not.toContain('npm run grant');
  for (const [kind, ...figures] of [
    ['compensation', '10'],
    ['payout', '10'],
    ['offer', '10', '7'],
  ] as const) {
    expect(await run('grant', kind, guest.mobile, ...figures, 'late delivery')).toEqual({
      code: 1,
      out: '',
      err: `The mobile '${guest.mobile}' has orders as a guest, but no account and so no wallet: pay the money back by UPI or cash.`,
    });
  }
});

describe('npm run order -- receive', () => {
  test('records a repeated command once, also when it runs twice at once', { timeout: 60_000 }, async () => {
    const order = await payableOrder();
    const receive = () => run('order', 'receive', order.orderid, 'cash', '190');
    const results = await Promise.all([receive(), receive()]);
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    const { err } = await receive();
    expect(err).toContain(`Nothing was recorded: cash ₹190.00 for order ${order.name}, is recorded already`);
    expect(await run('order', 'receive', order.orderid, 'cash', '190.00', 'overpaid')).toMatchObject({ code: 1 });
    expect((await order.caller.send(getOrderPayments, { orderid: order.orderid })).data).toMatchObject({
      rest: 9614,
      paid: [{ amount: 19_000 }],
    });
    expect(await walletOf(order)).toBe(0);
    expect(await run('order', 'receive', order.orderid, 'cash', '90', 'note', 'the', 'second', 'visit')).toMatchObject({ code: 0 });
  });

  test('refuses more than is left unless the command has overpaid', { timeout: 60_000 }, async () => {
    const order = await payableOrder();
    expect(await run('order', 'receive', order.orderid, 'upi', '300')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`upi ₹300.00 is more than the ₹286.14 left to pay for order ${order.name}.`),
    });
    expect(await walletOf(order)).toBe(0);
    const { code, out } = await run('order', 'receive', order.orderid, 'upi', '300', 'overpaid', 'note', 'UTR', '123456789012');
    expect([code, ...out.split('\n').slice(0, 2)]).toEqual([
      0,
      `Recorded: upi ₹300.00 for order ${order.name}; left to pay ₹0.00`,
      "₹13.86 of it was too much and is in the customer's wallet.",
    ]);
    expect(await walletOf(order)).toBe(1386);
    expect((await run('order', 'receive', order.orderid, 'cash', '10')).err).toContain(`nothing is left to pay for order ${order.name}.`);
  });

  test('reverse makes the amount due again, takes the change back, and happens once', { timeout: 60_000 }, async () => {
    const order = await payableOrder();
    const { out } = await run('order', 'receive', order.orderid, 'cash', '300', 'overpaid');
    const reference = referenceIn(out);
    expect(await run('order', 'reverse', reference)).toMatchObject({ code: 1, err: expect.stringMatching(/^Give a reason/) });
    expect(await run('order', 'reverse', reference, 'the', 'wrong', 'order')).toEqual({
      code: 0,
      out: `Reversed: cash ₹300.00 for order ${order.name}; left to pay ₹286.14\n₹13.86 of change was taken back from the customer's wallet.`,
      err: '',
    });
    expect(await walletOf(order)).toBe(0);
    expect((await run('order', 'reverse', reference, 'again')).err).toMatch(
      /^Nothing was reversed: the payment is reversed already, .* {2}cash ₹300\.00 {2}reversed .* for 'the wrong order'$/,
    );
    expect((await run('order', 'receive', order.orderid, 'cash', '300', 'overpaid')).code).toBe(0);
    const shown = (await run('order', 'show', order.orderid)).out.split('\n');
    expect(shown[0]).toBe(`Order ${order.name}; stage queue, left to pay ₹0.00`);
    expect(shown.slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${reference}  \\S+ \\S+  cash ₹300\\.00  reversed .* for 'the wrong order'$`)),
      expect.stringMatching(new RegExp(`^${REFERENCE}  \\S+ \\S+  cash ₹300\\.00$`)),
    ]);
    expect(await run('ledger', 'audit')).toMatchObject({ code: 0 });
  });

  test('weighing an order that was moved back credits and takes back its change', { timeout: 60_000 }, async () => {
    const order = await payableOrder();
    expect(await run('order', 'receive', order.orderid, 'cash', '286.14')).toMatchObject({ code: 0 });
    await transaction(program.db, (tx) => setEarlierStage(tx, order.orderid, { to: 'pickup' }, program.clock.now()));
    const unexplained = await run('order', 'weigh', order.orderid, '5', '12');
    expect(unexplained).toMatchObject({ code: 1, err: expect.stringContaining('Add the reason of the correction') });
    expect(await run('order', 'weigh', order.orderid, '5', '12', 'reason', 'the', 'basket', 'was', 'on', 'the', 'scale')).toMatchObject({
      code: 0,
    });
    expect(await walletOf(order)).toBe(28_614 - 19_000);
    const { orderid } = await place(order, { detergent: '' });
    await weighOrder(program.db, orderid, 5000, 1, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    await order.caller.send(payWithWallet, { userid: order.userid, orderid, walletpayment: asPaise(9500) });
    expect(await run('order', 'weigh', order.orderid, '7.53', '12', 'reason', 'weighed again')).toEqual({
      code: 1,
      out: '',
      err: "Nothing was changed: the new amount takes ₹96.14 of change back from the customer's wallet, which has ₹1.14 left.",
    });
    expect((await run('order', 'show', order.orderid)).out).toContain(', 5 kg, 12 pieces; stage pickup, amount ₹190.00');
    expect(await run('ledger', 'audit')).toMatchObject({ code: 0 });
  });

  test('reverse refuses payments of the wallet, and change that was spent', { timeout: 60_000 }, async () => {
    const order = await payableOrder();
    const received = await run('order', 'receive', order.orderid, 'cash', '500', 'overpaid');
    const { orderid } = await place(order, { detergent: '' });
    await weighOrder(program.db, orderid, 7530, 1, program.clock.now());
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    await order.caller.send(payWithWallet, { userid: order.userid, orderid, walletpayment: asPaise(14_307) });
    expect((await run('order', 'reverse', referenceIn(received.out), 'a mistake')).err).toContain(
      "the payment credited ₹213.86 of change to the customer's wallet, which has ₹70.79 left.",
    );
    const [line, payment = ''] = (await run('order', 'show', orderid)).out.split('\n');
    expect(line).toBe(`Order ${orderid} of Meera Nair, 7.53 kg, 1 piece; stage queue, left to pay ₹143.07`);
    const [reference = ''] = payment.split(' ');
    expect((await run('order', 'reverse', reference, 'a mistake')).err).toContain('the payment came from the wallet');
  });

  test('an order due ₹0 is moved to delivered without a payment', { timeout: 60_000 }, async () => {
    const order = await placedOrder();
    const free = { offer_id: 'FREE', offer_percent: 100, order_rate_paise: 0 };
    await program.db.updateTable('orders').set(free).where('id', '=', order.orderid).execute();
    expect((await run('order', 'weigh', order.orderid, '7.53', '12')).out).toBe(`Weighed: order ${order.name}; stage pickup, amount ₹0.00`);
    expect((await run('order', 'move', order.orderid, 'queue')).out).toBe(`Moved: order ${order.name}; stage queue, left to pay ₹0.00`);
    expect((await run('order', 'receive', order.orderid, 'cash', '20')).err).toContain('nothing is left to pay');
    expect((await run('order', 'receive', order.orderid, 'cash', '20', 'overpaid')).code).toBe(0);
    expect(await walletOf(order)).toBe(2000);
    for (const stage of ['washing', 'delivery'] as const) await moveOrder(program.db, order.orderid, stage, program.clock.now());
    expect((await run('order', 'move', order.orderid, 'delivered')).out).toBe(
      `Moved: order ${order.name}; stage delivered, left to pay ₹0.00`,
    );
  });
});

describe('npm run staff', () => {
  test('adds people with a link, lists and removes them, and keeps the last owner', { timeout: 60_000 }, async () => {
    const added = await run('staff', 'add', 'owner', '9876500001', 'Anita', 'Desai');
    expect(added).toMatchObject({ code: 0, err: '' });
    const token = /\/staff\/set-password#([\w-]{43})$/.exec(added.out)?.[1] ?? '';
    expect(await program.caller().send(setStaffPassword, { token, password: 'a long password' })).toMatchObject({ response: 'success' });
    expect(await run('staff', 'add', 'rider', '9876500001', 'Again')).toEqual({
      code: 1,
      out: '',
      err: 'A person with this mobile number works here already',
    });
    expect(await run('staff', 'add', 'boss', '9876500002', 'Ravi')).toEqual({
      code: 1,
      out: '',
      err: "'boss' is not a role: owner, operator, rider. Nothing was done.",
    });
    expect(await run('staff', 'add', 'owner', '9876500002')).toEqual({
      code: 1,
      out: '',
      err: 'The name is missing: npm run staff -- add owner 9876500002 <name>. Nothing was done.',
    });
    expect(await run('staff', 'remove', '9876500001')).toMatchObject({ code: 1, err: expect.stringContaining('needs an owner') });
    expect((await run('staff', 'list')).out).toBe('9876500001  owner  active  Anita Desai');
  });
});

describe('npm run grant', () => {
  test('credits the wallet in a balanced ledger', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    const granted = await run('grant', 'compensation', meera.mobile, '120.50', '=a button', 'lost,', 'we are "sorry"');
    expect(granted).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^Granted: compensation ₹120\\.50 to ${meera.mobile} of Meera, for '=a button lost, we are "sorry"', reference grant:`),
      ),
    });
    await run('grant', 'cashback', meera.mobile, '9', 'Tenth order');
    expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(12_950);
    expect(await run('ledger', 'audit')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        new RegExp(
          `^The ledger is balanced: \\d+ postings, ₹${await allWallets()} in all wallets\\. Database \\w+: \\d+ orders, \\d+ payments\\.$`,
        ),
      ),
    });
    const { out } = await run('ledger', 'export');
    const [head, ...lines] = out.split('\n');
    expect(head).toBe('time,entry,kind,reason,reference,order,account,rupees');
    const customerLines = lines
      .filter((line) => line.includes(`"wallet:${meera.userid}"`))
      .map((line) => line.replace(/^"[^"]*","[^"]*",/, ''));
    expect(customerLines).toEqual([
      expect.stringMatching(/^"compensation","'=a button lost, we are ""sorry""","grant:[0-9A-Z]{20}","","wallet:[0-9A-Z]{20}",120\.50$/),
      expect.stringMatching(/^"cashback","Tenth order","grant:[0-9A-Z]{20}","","wallet:[0-9A-Z]{20}",9\.00$/),
    ]);
    const paise = lines.map((line) => Number(line.split(',').at(-1)?.replace('.', '')));
    expect(paise.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });

  test('grants the same amount for the same reason once under concurrent calls', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    const runTwice = async (...args: string[]) => Promise.all([run('grant', ...args), run('grant', ...args)]);
    for (const args of [
      ['compensation', meera.mobile, '40', 'A lost sock'],
      ['offer', meera.mobile, '10', '5', 'A lost sock'],
    ]) {
      const results = await runTwice(...args);
      expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
      expect(results.find(({ code }) => code === 1)?.err).toMatch(/^\d{10} already received this grant for 'A lost sock', reference \S+\./);
    }
    expect(await run('grant', 'compensation', meera.mobile, '40', 'Another lost sock')).toMatchObject({ code: 0 });
    expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(8000);
    expect((await meera.caller.send(getOffers, { userid: meera.userid })).data).toHaveLength(1);
  });

  test('reverse takes a credit back once', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    const { out } = await run('grant', 'compensation', meera.mobile, '1000', 'One', 'zero', 'too', 'many');
    const [reference = ''] = /grant:[0-9A-Z]+/.exec(out) ?? [];
    expect(await run('grant', 'reverse', reference, 'a typing mistake')).toEqual({
      code: 0,
      out: `Reversed: ₹1,000.00 of ${reference}, for 'a typing mistake'.`,
      err: '',
    });
    expect((await run('grant', 'reverse', reference, 'again')).err).toMatch(
      /^Nothing was reversed: grant:\S+ was reversed on .* for 'a typing mistake'/,
    );
    expect(await walletOf(meera)).toBe(0);
  });

  test('pays money of a wallet back once for the same reason, at most the balance', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    await run('grant', 'compensation', meera.mobile, '100.50', 'Late');
    const payOut = (rupees: string, ...reason: string[]) => run('grant', 'payout', meera.mobile, rupees, ...reason);
    expect(await payOut('100.51', 'By', 'UPI')).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was paid out: the wallet has ₹100.50.',
    });
    const results = await Promise.all([payOut('50.25', 'By', 'UPI'), payOut('50.25', 'By', 'UPI')]);
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(results.map(({ out }) => out).join('')).toMatch(
      /^Paid out: ₹50\.25 of the wallet of \d{10} of .+, for 'By UPI', reference payout:\S+\.$/,
    );
    expect(results.map(({ err }) => err).join('')).toMatch(
      /is recorded already, reference payout:\S+\. To repeat it, give another reason\.$/,
    );
    expect(await walletOf(meera)).toBe(5025);
    expect(await payOut('50.25', 'In', 'cash')).toMatchObject({ code: 0 });
    expect(await walletOf(meera)).toBe(0);
    expect(await payOut('1', 'no')).toMatchObject({ code: 1, err: expect.stringContaining('Give a reason of 3 to 200 characters.') });
  });

  test('grants an offer that is active immediately', async () => {
    const meera = await newCustomer(program);
    expect(await run('grant', 'offer', meera.mobile, '15', '7', 'Welcome')).toMatchObject({ code: 0 });
    const { data } = await meera.caller.send(getOffers, { userid: meera.userid });
    expect(data).toEqual([expect.objectContaining({ offer_rate: 15, offer_validity: '7 days' })]);
  });
});

test('lists, answers and settles claims, and prints the words of customers on one line', { timeout: 120_000 }, async () => {
  const { caller, orderid, userid } = await placedOrder();
  const { data } = await caller.send(addClaim, { orderid, kind: 'damaged', message: 'The collar is torn\nstaff: We pay \u202Ethis' });
  const { claimid = '', answer_by: deadline } = data ?? {};
  const named = `claim ${claimid}, damaged, order ${orderid}`;
  expect((await run('claim', 'list')).out).toContain(`${claimid}  damaged  order ${orderid}  answer by ${deadline}`);
  const answer = ['claim', 'answer', claimid, 'We', 'are', 'sorry.'];
  expect(await run(...answer)).toEqual({ code: 0, out: `Answered: ${named}; answered`, err: '' });
  expect(await run(...answer)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('this answer is in the thread already') });
  expect(await run('claim', 'settle', claimid, '20000', 'We pay.')).toMatchObject({ code: 1, out: '' });
  expect((await run('claim', 'show', claimid)).out.split('\n').map((line) => line.replace(/^\S+ \S+ {2}/, ''))).toEqual([
    `Claim ${claimid}, damaged, order ${orderid}; answered; reported ${data?.claim_date}, answer by ${deadline}`,
    String.raw`customer: The collar is torn\nstaff: We pay \u202ethis`,
    'staff: We are sorry.',
  ]);
  const settle = ['claim', 'settle', claimid, '400', 'We', 'pay', 'for', 'the', 'shirt.'];
  const results = await Promise.all([run(...settle), run(...settle)]);
  expect(results.map(({ out, err }) => out || err).toSorted()).toEqual([
    `Nothing was done: this is settled already, ${named}; settled with ₹400.00`,
    `Settled: ${named}; settled with ₹400.00`,
  ]);
  expect(await walletOf({ userid })).toBe(40_000);
  expect((await run('claim', 'list')).out).not.toContain(claimid);
  expect(await run('claim', 'show', 'C0')).toMatchObject({ code: 1, err: 'There is no such claim.' });
});

test('the audit of the console names the user who ran a command, with what changed', { timeout: 120_000 }, async () => {
  const order = await payableOrder();
  const { caller: owner } = await newStaff(program, 'owner');
  const entries = async (subject: string) => {
    const { data } = await owner.send(getAudit, { subject });
    for (const entry of data?.entries ?? []) expect(entry).toMatchObject({ person: null, command_user: userInfo().username });
    return data?.entries.map(({ action, before, after }) => ({ action, before, after })).toReversed();
  };
  const received = await run('order', 'receive', order.orderid, 'cash', '300', 'overpaid', 'note', 'at the shop');
  // A refused command and a repeated one change nothing.
  await run('order', 'receive', order.orderid, 'cash', '300', 'overpaid', 'note', 'at the shop');
  await run('order', 'receive', order.orderid, 'cash', '300');
  await run('order', 'reverse', referenceIn(received.out), 'Wrong order');
  await run('order', 'cancel', order.orderid);
  await run('order', 'undo-cancel', order.orderid);
  expect(await entries(order.orderid)).toEqual([
    {
      action: 'receive-payment',
      before: { received_paise: 0 },
      after: { received_paise: 30_000, credited_paise: 1386, note: 'at the shop' },
    },
    { action: 'reverse-payment', before: { received_paise: 30_000 }, after: { received_paise: 0, note: 'Wrong order' } },
    { action: 'cancel-order', before: { stage: 'queue' }, after: { stage: 'cancelled' } },
    { action: 'move-order-back', before: { stage: 'cancelled' }, after: { stage: 'queue' } },
  ]);

  const granted = await run('grant', 'cashback', order.mobile, '25', 'Late');
  const reference = new RegExp(`reference (\\S+)\\.`).exec(granted.out)?.[1] ?? '';
  await run('grant', 'cashback', order.mobile, '25', 'Late');
  await run('grant', 'reverse', reference, 'By mistake');
  await run('grant', 'offer', order.mobile, '10', '3', 'Sorry');
  await run('grant', 'compensation', order.mobile, '40', 'Late');
  await run('grant', 'payout', order.mobile, '40', 'By', 'UPI');
  expect(await entries(order.mobile)).toEqual([
    { action: 'grant-credit', before: null, after: { kind: 'cashback', amount_paise: 2500, reason: 'Late', entry: expect.any(String) } },
    { action: 'reverse-grant', before: null, after: { entry: expect.any(String), reversed_paise: 2500, reason: 'By mistake' } },
    { action: 'grant-offer', before: null, after: { percent: 10, days: 3, reason: 'Sorry', offer: expect.any(String) } },
    {
      action: 'grant-credit',
      before: null,
      after: { kind: 'compensation', amount_paise: 4000, reason: 'Late', entry: expect.any(String) },
    },
    { action: 'pay-out', before: null, after: { paid_back_paise: 4000, reason: 'By UPI', entry: expect.any(String) } },
  ]);

  const claim = { orderid: order.orderid, kind: 'damaged', message: 'A button is missing' } as const;
  const { data } = await order.caller.send(addClaim, claim);
  await run('claim', 'answer', data?.claimid ?? '', 'We look for it');
  await run('claim', 'settle', data?.claimid ?? '', '40', 'We are sorry');
  expect(await entries(data?.claimid ?? '')).toEqual([
    { action: 'answer-claim', before: null, after: null },
    { action: 'settle-claim', before: { status: 'answered' }, after: { status: 'settled', amount_paise: 4000 } },
  ]);

  await run('catalogue', 'set', 'wash', '39');
  await run('catalogue', 'set', 'wash', '38');
  expect((await entries('wash'))?.map(({ before, after }) => [before?.rate_paise, after?.rate_paise])).toEqual([
    [3800, 3900],
    [3900, 3800],
  ]);
});

test('npm run order -- list prints the number of omitted orders', { timeout: 120_000 }, async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  await sql`insert into orders select (jsonb_populate_record(orders, jsonb_build_object('id', 'COPY' || copy))).*
    from orders, generate_series(1, 203) as copy where id = ${orderid}`.execute(program.db);
  const open = await program.db.selectFrom('orders').select('id').where('stage', 'not in', ['delivered', 'cancelled']).execute();
  const lines = (await run('order', 'list')).out.split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([201, `and ${open.length - 200} more, placed later`]);
  await program.db.deleteFrom('orders').where('id', 'like', 'COPY%').execute();
  expect((await run('order', 'list')).out).not.toContain(' more, placed later');
});

const INVALID_COMMANDS: [string[], RegExp][] = [
  [['ledger'], /^npm run ledger -- audit/],
  [['grant', 'constructor'], /^There is no command 'constructor'\. Nothing was done\.\nnpm run grant -- offer/],
  [['grant', 'compensation', '9000000000', '50', 'A reason'], /^No customer has the mobile '9000000000'\.$/],
  [['grant', 'compensation', '9000000000', '-50', 'A reason'], /^'-50' is not an amount from ₹0\.01 to ₹10,000/],
  [['grant', 'compensation', '9000000000', '10000.01', 'A reason'], /^'10000\.01' is not an amount/],
  [['grant', 'compensation', '9000000000', '50'], /^Give a reason of 3 to 200 characters/],
  [['grant', 'paid', '9000000000', '50', 'A reason'], /^There is no command 'paid'\. Nothing was done\.\nnpm run grant/],
  [['grant', 'offer', '9000000000', '101', '7', 'A reason'], /^'101' is not a number of percent from 1 to 100\.$/],
  [['grant', 'offer', '9000000000', '15', '0', 'A reason'], /^'0' is not a number of days from 1 to 3650\.$/],
  [['order', 'weigh', 'NOSUCHORDER0', '7', '3'], /^There is no such order\.$/],
  [['order', 'move', 'NOSUCHORDER0', 'pickup'], /^'pickup' is not a stage that an order can move to/],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '100'], /^There is no such order\.$/],
  [['order', 'receive', 'NOSUCHORDER0', 'gold', '100'], /^'gold' is not a payment method: cash, upi\.$/],
  [['order', 'show', 'NOSUCHORDER0'], /^There is no such order\.$/],
  [['order', 'reverse', 'NOSUCHPAYMENT', 'A reason'], /^There is no such payment\./],
  [['grant', 'reverse', 'grant:NOSUCH', 'A reason'], /^There is no grant 'grant:NOSUCH'\.$/],
  // Number() would accept these figures.
  [['order', 'weigh', 'NOSUCHORDER0', '7', '1e3'], /^'1e3' is not a number of pieces from 1 to 10000\.$/],
  [['order', 'weigh', 'NOSUCHORDER0', '1e1', '3'], /^The weight must be 0\.01 to 1000 kg/],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '1e3'], /^'1e3' is not an amount from ₹0\.01 to ₹1,00,000/],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '100', 'overpayed'], /^'overpayed' is not understood\. Nothing was done\./],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '100', 'overpaid', '50'], /^'overpaid 50' is not understood\. Nothing was done\./],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '100', 'note'], /^Give a note of 3 to 200 characters\.$/],
  [['order', 'weigh', 'NOSUCHORDER0', '7', '3', 'kg'], /^'kg' is not understood\. Nothing was done\./],
  [['order', 'move', 'NOSUCHORDER0', 'queue', 'washing'], /^'washing' is not understood\. Nothing was done\./],
  [['order', 'list', 'all'], /^'all' is not understood\. Nothing was done\./],
  [['order', 'weigh', 'NOSUCHORDER0', '7'], /^weigh needs a <pieces>\. Nothing was done\.\nnpm run order -- list/],
  [['customer', 'delete', '9000000000'], /^There is no command 'delete'\. Nothing was done\.\nnpm run -s customer/],
  [['customer', 'erase'], /^erase needs a <mobile>\. Nothing was done\.\nnpm run -s customer/],
  [['staff', 'remove'], /^remove needs a <mobile>\. Nothing was done\.\nnpm run staff/],
  [['migrate', 'check', 'x'], /^'x' is not understood\. Nothing was done\./],
  [['migrate', 'x'], /^'x' is not understood\. Nothing was done\./],
  [['ledger', 'audit', 'now'], /^'now' is not understood\. Nothing was done\./],
  [['catalogue', 'set', 'wash', '38', '39'], /^'39' is not understood\. Nothing was done\./],
];

test('invalid arguments change nothing and print the reason', { timeout: 120_000 }, async () => {
  for (const [args, line] of INVALID_COMMANDS) {
    const { code, out, err } = await run(...args);
    expect([code, out], args.join(' ')).toEqual([1, '']);
    expect(err).toMatch(line);
  }
});

test.each(['', ' 12', '12 ', '+3', '-3', '1e3', '0x10', '1,000', '12.', '.5', 'NaN', 'Infinity', '१२', '12\n', '1234567'])(
  'the figure %j is refused',
  (figure) => {
    expect(() => parseWholeNumber(figure, 'pieces', 10_000)).toThrow(UsageError);
    expect(() => parseRupees(figure, { min: 1, max: 10_000_000 })).toThrow(UsageError);
    expect(parseKilograms(figure)).toBeNaN();
  },
);

test('npm run ledger -- audit prints a wrong balance and fails', async () => {
  const meera = await newCustomer(program);
  await run('grant', 'promotion', meera.mobile, '50', 'A test');
  const setBalance = (paise: number) =>
    program.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update ledger_accounts set balance_paise = ${paise} where customer_id = ${meera.userid}`.execute(tx);
    });
  await setBalance(5001);
  const { code, err } = await run('ledger', 'audit');
  await setBalance(5000);
  expect(code).toBe(1);
  expect(err).toContain(`"id": "wallet:${meera.userid}"`);
});

test('commands use the database of a running program, or start and stop it themselves', { timeout: 120_000 }, async () => {
  const dataDir = await initialisedFolder();
  onTestFinished(async () => {
    const pid = postmasterPid(dataDir);
    if (!pid) return;
    process.kill(pid, 'SIGQUIT');
    await waitForExit(pid);
  });
  expect(await runWith({ DATA_DIR: dataDir }, ['ledger', 'audit'])).toMatchObject({
    code: 1,
    err: `DATABASE_URL is not set: this command uses the embedded database in ${dataDir}.
The database has no tables: set DATABASE_URL to the database of the program, or start the program once to create them.`,
  });

  const child = await new ChildProgram(await freePort(), { DATA_DIR: dataDir }).ready();
  onTestFinished(() => child.kill());
  const connectionString = (await readFile(join(dataDir, 'url'), 'utf8')).trim();
  const database = openDatabase({ connection: { connectionString }, poolSize: 2, onConnectionLost: () => {} });
  const meera = await newCustomer({ db: database.db, clock: systemClock, caller: () => httpCaller(() => child.url) });
  expect(await runWith({ DATA_DIR: dataDir }, ['grant', 'promotion', meera.mobile, '50', 'A test'])).toMatchObject({
    code: 0,
    err: `DATABASE_URL is not set: this command uses the database of the program that runs in ${dataDir}.`,
  });
  expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(5000);
  await database.close();
  child.signal('SIGTERM');
  expect(await child.ended).toBe(0);

  expect((await runWith({ DATA_DIR: dataDir }, ['ledger', 'audit'])).out).toContain('The ledger is balanced');
  expect(postmasterPid(dataDir)).toBeUndefined();
});

test('a command changes nothing in a database of another version', async () => {
  const { db } = program;
  const meera = await newCustomer(program);
  const grant = () => run('grant', 'promotion', meera.mobile, '50', 'Another version');
  const refused = (err: string) => ({ code: 1, out: '', err: expect.stringContaining(err) });

  await sql`insert into schema_migrations (name, checksum, compatible_since) values ('9999_future.sql', 'x', '9999')`.execute(db);
  onTestFinished(async () => void (await sql`delete from schema_migrations where name = '9999_future.sql'`.execute(db)));
  expect(await grant()).toMatchObject(refused('The database has the unknown migration 9999_future.sql'));
  expect(await run('customer', 'export', meera.mobile)).toMatchObject(refused('9999_future.sql'));
  await sql`update schema_migrations set compatible_since = '0001' where name = '9999_future.sql'`.execute(db);
  expect(await run('ledger', 'audit')).toMatchObject({ code: 0 });

  const { rows } = await sql<{ name: string }>`select max(name) as name from schema_migrations where name < '9999'`.execute(db);
  const newest = rows[0]?.name;
  const rename = (from: string | undefined, to: string | undefined) =>
    sql`update schema_migrations set name = ${to} where name = ${from}`.execute(db);
  await rename(newest, '0000_renamed.sql');
  onTestFinished(async () => void (await rename('0000_renamed.sql', newest)));
  expect(await grant()).toMatchObject(refused(`The database lacks ${newest}`));
  expect(await walletOf(meera)).toBe(0);
});

test('a command behind a pooler names the setting that it needs', { timeout: 30_000 }, async () => {
  const refused = {
    code: 1,
    out: '',
    err: expect.stringMatching(/^The pooler at .* Commands can use DATABASE_DIRECT_URL instead\.$/) as string,
  };
  const env = { DATABASE_URL: await startPoolerStandIn(program.connection) };
  expect(await runShared(env, ['staff', 'list'])).toEqual(refused);
});
