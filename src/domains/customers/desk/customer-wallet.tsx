import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { MOVEMENT_NAMES } from '../../wallet/pages/movement-names.ts';
import {
  MAX_SHOWN,
  customerError,
  customerMessages,
  reason as reasonRule,
  reverse,
  type DeskCustomer,
  type WalletMovement,
} from './contract.ts';
import { movementReason } from './movement-reason.ts';

interface CustomerWalletProps {
  customer: DeskCustomer;
  /** Loads the customer again after a reversal. */
  onChanged(): Promise<unknown>;
}

export function CustomerWallet({ customer: { is_guest: isGuest, wallet, transactions }, onChanged }: CustomerWalletProps) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg font-semibold">{t('Wallet')}</h2>
        {!isGuest && (
          <p className="text-lg font-bold">
            <Money amountPaise={wallet} />
          </p>
        )}
      </div>
      {isGuest ? (
        <div className="mt-3">
          <Notice tone="info">{t('A guest has no wallet and gets no offers. Both come with an account.')}</Notice>
        </div>
      ) : (
        <Movements movements={transactions} onChanged={onChanged} />
      )}
    </Card>
  );
}

function Movements({ movements, onChanged }: { movements: readonly WalletMovement[]; onChanged(): Promise<unknown> }) {
  const { t, plural, rupees, formatMessage } = useLanguage();
  const [reversed, setReversed] = useState<WalletMovement>();
  const [isAsking, setAsking] = useState(false);
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<{ entryid: string; reason: string }, boolean>({
    async mutationFn(body) {
      const result = await send(reverse, body);
      if (result.response !== 'success') {
        showRefusal(result);
        return false;
      }
      setAsking(false);
      showToast({ theme: 'green', text: customerMessages.reversed });
      await onChanged();
      return true;
    },
    onError: (error) => showProblem(error, 'reversing a credit'),
  });
  if (movements.length === 0) return <p className="mt-2 text-sm text-ink-soft">{t('Nothing has moved yet.')}</p>;
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {movements.map((movement) => (
          <Movement
            key={movement.entryid}
            movement={movement}
            onReverse={() => {
              setReversed(movement);
              setAsking(true);
            }}
          />
        ))}
      </ul>
      {movements.length === MAX_SHOWN && (
        <p className="text-sm text-ink-soft">
          {plural(MAX_SHOWN, { one: 'The newest one', other: 'The newest {count}' }, { count: MAX_SHOWN })}
        </p>
      )}
      <TextDialog
        open={isAsking}
        title={t('Reverse {amount}?', { amount: rupees(reversed?.amount ?? 0) })}
        label={t('Reason')}
        required={formatMessage(customerError('reason-too-short'))}
        isPossible={(text) => reasonRule.safeParse(text).success}
        submitLabel={t('Reverse')}
        pending={pending}
        onSubmit={async (reason) => (await mutate({ entryid: reversed?.entryid ?? '', reason })) ?? false}
        onClose={() => setAsking(false)}
      >
        <p className="text-ink-soft">{t('The whole amount leaves the wallet, if the customer has not spent it.')}</p>
      </TextDialog>
    </>
  );
}

function Movement({ movement, onReverse }: { movement: WalletMovement; onReverse(): void }) {
  const language = useLanguage();
  const { t, day, rupees } = language;
  const { role } = useMe();
  const { kind, amount, at, orderid, reversal } = movement;
  const reason = movementReason(language, movement);
  const isReversal = kind !== 'paid' && kind !== 'payout' && amount < 0;
  return (
    <li className="flex items-start justify-between gap-4 py-3 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t(MOVEMENT_NAMES[kind])}
          {isReversal && <Badge tone="plain">{t('Reversal')}</Badge>}
          {reversal && <Badge tone="bad">{t('Reversed')}</Badge>}
        </p>
        <p className="text-ink-soft wrap-anywhere">
          {day(at)}
          {reason !== undefined && ` · ${reason}`}
          {orderid !== null && (
            <>
              {' · '}
              <Link to={staffLinks.order(orderid)} className={textLinkStyles}>
                {t('Order {orderid}', { orderid })}
              </Link>
            </>
          )}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        <p className="font-semibold">
          <Money amountPaise={Math.abs(amount)} direction={amount < 0 ? 'debit' : 'credit'} />
        </p>
        {movement.is_reversible && mayCall(role, 'staff/reverse') && (
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Reverse {amount} of {day}', { amount: rupees(amount), day: day(at) })}
            onClick={onReverse}
          >
            {t('Reverse')}
          </Button>
        )}
      </div>
    </li>
  );
}
