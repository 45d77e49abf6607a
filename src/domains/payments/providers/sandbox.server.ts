/** A gateway that stands inside the program, for demonstrations: its page pays, fails or takes its time. No money moves. */
import type { Clock } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import type { Db } from '../../../db/database.server.ts';
import type { Gateway } from '../provider.server.ts';
import { findSandboxPayment, openSandboxPayment } from '../store.server.ts';

export const SANDBOX_PATH = '/payments/sandbox';

export const sandbox = ({ db, clock }: { db: Db; clock: Clock }): Gateway => ({
  name: 'sandbox',
  open: async ({ reference, amountPaise, returnPath }) => {
    const id = await openSandboxPayment(db, { id: `sbx_${newId()}`, reference, amount_paise: amountPaise, return_path: returnPath });
    return { id, url: `${SANDBOX_PATH}/${id}` };
  },
  ask: async (id) => {
    const payment = await findSandboxPayment(db, id);
    if (payment?.outcome === 'failed') return { state: 'failed' };
    const isPaid = payment?.paid_at && payment.paid_at <= clock.now();
    return isPaid ? { state: 'received', transactionId: `pay_${id}`, amountPaise: payment.amount_paise } : { state: 'pending' };
  },
});
