import { Link } from 'react-router';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import type { ClaimStatus } from '../contract.ts';
import { claimKindNames, claimStatusText } from '../pages/claim-texts.ts';
import { ClaimThread } from '../pages/claim-thread.tsx';
import { deskPhotoPath, type DeskClaim } from './contract.ts';

const TONES = { open: 'warn', answered: 'accent', settled: 'good' } as const satisfies Record<ClaimStatus, string>;

interface DeskClaimCardProps {
  claim: DeskClaim;
  /** The claim is assigned to the person at the screen. */
  isMine: boolean;
  onAssign(): void;
  onAnswer(): void;
  onSettle(): void;
}

/** A claim with its customer, deadline, thread and photos. */
export function DeskClaimCard({ claim, isMine, onAssign, onAnswer, onSettle }: DeskClaimCardProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { role } = useMe();
  const { claimid, orderid, kind, status, customer, assigned, messages, photos, credited, reversed, settled_at: settledAt } = claim;
  const name = customer.name ?? t('A guest');
  return (
    <Card as="li">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div>
          <h2 className="font-semibold wrap-anywhere">
            {t(claimKindNames[kind])} · {name}
          </h2>
          <p className="text-sm text-ink-soft tabular-nums">{t('Report {claimid}', { claimid })}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {claim.is_overdue ? (
            <Badge tone="bad">{t('Overdue since {time}', { time: formatDayTime(language, claim.answer_by) })}</Badge>
          ) : (
            <Badge tone={TONES[status]}>{claimStatusText(language, claim)}</Badge>
          )}
          {isMine && <Badge tone="accent">{t('Yours')}</Badge>}
          {!isMine && assigned && <Badge tone="plain">{assigned.name}</Badge>}
          {!assigned && status !== 'settled' && <Badge tone="plain">{t('Nobody yet')}</Badge>}
        </div>
      </div>
      <ClaimThread messages={messages} photos={photos} customer={name} photoPath={deskPhotoPath} />
      {status !== 'settled' && settledAt !== null && (
        <p className="mt-4">
          {t('Settled {time}, and opened again by a reply of the customer.', { time: formatDayTime(language, settledAt) })}
        </p>
      )}
      {credited !== null && (
        <p className="mt-4 font-semibold text-good">{t('{amount} went to the wallet.', { amount: rupees(credited) })}</p>
      )}
      {reversed !== null && <p className="mt-1 font-semibold">{t('{amount} of it were taken back.', { amount: rupees(reversed) })}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {status !== 'settled' && (
          <>
            <Button variant="primary" size="small" aria-label={t('Settle report {claimid}', { claimid })} onClick={onSettle}>
              {t('Settle')}
            </Button>
            <Button variant="secondary" size="small" aria-label={t('Answer report {claimid}', { claimid })} onClick={onAnswer}>
              {t('Answer')}
            </Button>
            <Button variant="secondary" size="small" aria-label={t('Assign report {claimid}', { claimid })} onClick={onAssign}>
              {t('Assign')}
            </Button>
          </>
        )}
        <Link to={staffLinks.order(orderid)} className={buttonStyles('quiet', 'small')}>
          {t('Order {orderid}', { orderid })}
        </Link>
        {mayCall(role, 'staff/customer') && (
          <Link to={staffLinks.customers({ mobile: customer.mobile })} className={buttonStyles('quiet', 'small')}>
            {t('Customer')}
            <span className="sr-only"> {name}</span>
          </Link>
        )}
        <a
          href={`tel:+91${customer.mobile}`}
          className={buttonStyles('quiet', 'small')}
          aria-label={t('Call {mobile}', { mobile: customer.mobile })}
        >
          {customer.mobile}
        </a>
      </div>
    </Card>
  );
}
