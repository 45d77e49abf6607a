/**
 * A gateway inside the program, for demonstrations. Its page simulates a payment, a failure or a
 * delay.
 */
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import type { Db } from '../../../db/database.server.ts';
import type { Gateway, GatewayPayment } from '../provider.server.ts';

export const SANDBOX_PATH = '/payments/sandbox';

export const sandbox = ({ db, clock }: { db: Db; clock: Clock }): Gateway => ({
  name: 'sandbox',
  open: async (payment) => {
    const id = await openSandboxPayment(db, payment);
    return { id, url: `${SANDBOX_PATH}/${id}` };
  },
  fetchStatus: async (id) => {
    const payment = await findSandboxPayment(db, id);
    if (payment?.outcome === 'failed') return { state: 'failed' };
    const isPaid = payment?.paid_at && payment.paid_at <= clock.now();
    return isPaid ? { state: 'received', transactionId: `pay_${id}`, amountPaise: payment.amount_paise } : { state: 'pending' };
  },
});

/** Returns the id of the sandbox payment with this reference, inserted if there is none. */
async function openSandboxPayment(db: Db, { reference, amountPaise, returnPath }: GatewayPayment): Promise<string> {
  const { id } = await db
    .insertInto('sandbox_payments')
    .values({ id: `sbx_${newId()}`, reference, amount_paise: amountPaise, return_path: returnPath })
    .onConflict((conflict) => conflict.column('reference').doUpdateSet((values) => ({ reference: values.ref('excluded.reference') })))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns undefined for an unknown id. */
export const findSandboxPayment = (db: Db, id: string) =>
  db
    .selectFrom('sandbox_payments')
    .select(['id', 'amount_paise', 'return_path', 'outcome', 'paid_at'])
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Writes the outcome if the payment has none; later calls change nothing. If `paidAt` is in the
 * future, the payment is pending until then. It is null for a failed payment.
 */
export const decideSandboxPayment = (db: Db, id: string, outcome: 'paid' | 'failed', paidAt: Date | null) =>
  db.updateTable('sandbox_payments').set({ outcome, paid_at: paidAt }).where('id', '=', id).where('outcome', '=', 'open').execute();
