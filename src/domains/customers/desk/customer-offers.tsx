import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { customerError, customerMessages, endOffer, reason as reasonRule, type GivenOffer } from './contract.ts';

interface CustomerOffersProps {
  offers: readonly GivenOffer[];
  /** Loads the customer again after an offer was ended. */
  onChanged(): Promise<unknown>;
}

export function CustomerOffers({ offers, onChanged }: CustomerOffersProps) {
  const { t, formatMessage } = useLanguage();
  const [ended, setEnded] = useState<GivenOffer>();
  const [isAsking, setAsking] = useState(false);
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<{ offerid: string; reason: string }, boolean>({
    async mutationFn(body) {
      const result = await send(endOffer, body);
      if (result.response !== 'success') {
        showRefusal(result);
        return false;
      }
      setAsking(false);
      showToast({ theme: 'green', text: customerMessages.offerEnded });
      await onChanged();
      return true;
    },
    onError: (error) => showProblem(error, 'ending an offer'),
  });
  return (
    <Card as="section">
      <h2 className="text-lg font-semibold">{t('Offers')}</h2>
      {offers.length === 0 && <p className="mt-2 text-sm text-ink-soft">{t('No offers')}</p>}
      <ul className="divide-y divide-line">
        {offers.map((offer) => (
          <Offer
            key={offer.offerid}
            offer={offer}
            onEnd={() => {
              setEnded(offer);
              setAsking(true);
            }}
          />
        ))}
      </ul>
      <TextDialog
        open={isAsking}
        title={t('End the offer of {percent}%?', { percent: ended?.percent ?? 0 })}
        label={t('Reason')}
        required={formatMessage(customerError('reason-too-short'))}
        isPossible={(text) => reasonRule.safeParse(text).success}
        submitLabel={t('End offer')}
        pending={pending}
        onSubmit={async (reason) => (await mutate({ offerid: ended?.offerid ?? '', reason })) ?? false}
        onClose={() => setAsking(false)}
      >
        <p className="text-ink-soft">{t('Orders that were placed with it keep it. An older offer that is still active applies again.')}</p>
      </TextDialog>
    </Card>
  );
}

function Offer({ offer, onEnd }: { offer: GivenOffer; onEnd(): void }) {
  const { t, day } = useLanguage();
  const { role } = useMe();
  const { percent, starts_at: startsAt, ends_at: endsAt, is_active: isActive, can_end: canEnd, reason } = offer;
  return (
    <li className="flex items-start justify-between gap-4 py-3 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t('{percent}% off', { percent })}
          {isActive ? <Badge tone="good">{t('Active')}</Badge> : <Badge tone="plain">{t('Ended')}</Badge>}
        </p>
        <p className="text-ink-soft wrap-anywhere">
          {t('{from} to {to}', { from: day(startsAt), to: day(endsAt) })} · {reason}
        </p>
      </div>
      {canEnd && mayCall(role, 'staff/endoffer') && (
        <Button variant="quiet" size="small" onClick={onEnd}>
          {t('End offer')}
          <span className="sr-only">
            {' '}
            {percent}%, {day(startsAt)}
          </span>
        </Button>
      )}
    </li>
  );
}
