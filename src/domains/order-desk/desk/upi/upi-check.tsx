import { useState } from 'react';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { asPaise } from '../../../../lib/money.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { mayCall } from '../../../staff/desk/contract.ts';
import { DialogDraft } from '../../../staff/desk/dialog-draft.tsx';
import { deleteDraft } from '../../../staff/desk/draft-storage.ts';
import { useMe } from '../../../staff/desk/session.ts';
import type { BegunUpi } from '../begun-upi.ts';
import { ReasonDialog } from '../dialogs/reason-dialog.tsx';
import { confirmUpi, dismissUpi } from '../upi-contract.ts';
import type { SendChange } from '../use-change.ts';

/** The action of the customer, and its time. */
export const begunUpiText = (language: Language, { begun_at: begunAt, reported_at: reportedAt }: BegunUpi): string =>
  reportedAt === null
    ? language.t('Code opened {time}', { time: formatDayTime(language, begunAt) })
    : language.t('The customer says: paid {time}', { time: formatDayTime(language, reportedAt) });

interface UpiCheckProps {
  payment: BegunUpi;
  /** The bank did not have it before. */
  isDismissed?: boolean;
  pending: boolean;
  change: SendChange;
}

/** The decision of an owner about a UPI payment that a customer began. Others read who decides. */
export function UpiCheck({ payment, isDismissed = false, pending, change }: UpiCheckProps) {
  const { t, rupees } = useLanguage();
  const { role } = useMe();
  const [isDismissing, setDismissing] = useState(false);
  const { orderid, reference, amount, left_to_pay: left, reported_at: reportedAt } = payment;
  const draft = `${orderid} dismiss ${reference}`;
  if (!mayCall(role, 'staff/confirmupi')) {
    return (
      !isDismissed && (
        <p className="text-sm">{t("Only an owner sees the bank's statement, and confirms it or says that it did not arrive.")}</p>
      )
    );
  }
  return (
    <div className="space-y-2">
      {amount > left && (
        <p className="text-sm">
          {t('{amount} more than is due: it goes to the wallet of the customer.', { amount: rupees(asPaise(amount - left)) })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          pending={pending}
          onClick={() => void change({ call: confirmUpi, body: { orderid, reference }, done: msg('The payment is noted') })}
        >
          {isDismissed
            ? t('It arrived after all: note {amount}', { amount: rupees(amount) })
            : t('The statement has it: note {amount}', { amount: rupees(amount) })}
        </Button>
        {reportedAt !== null && !isDismissed && (
          <Button variant="quiet" size="small" onClick={() => setDismissing(true)}>
            {t('It did not arrive')}
          </Button>
        )}
      </div>
      <DialogDraft name={draft}>
        <ReasonDialog
          open={isDismissing}
          title={t('{amount} did not arrive', { amount: rupees(amount) })}
          submitLabel={t('It did not arrive')}
          pending={pending}
          onSubmit={async (reason, onRefusal) => {
            const isMade = await change({
              call: dismissUpi,
              body: { orderid, reference, reason },
              done: msg('The customer reads that it did not arrive'),
              onRefusal,
            });
            if (isMade) deleteDraft(draft);
            return isMade;
          }}
          onClose={() => setDismissing(false)}
        />
      </DialogDraft>
    </div>
  );
}
