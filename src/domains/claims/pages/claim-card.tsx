import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { photoPath, type Claim, type ClaimStatus } from '../contract.ts';
import { ClaimReply } from './claim-reply.tsx';
import { claimKindNames, claimStatusText } from './claim-texts.ts';
import { ClaimThread } from './claim-thread.tsx';
import { ReversedCredit } from './reversed-credit.tsx';

const TONES = { open: 'warn', answered: 'accent', settled: 'good' } as const satisfies Record<ClaimStatus, string>;

interface ClaimCardProps {
  claim: Claim;
  /** Undefined for a guest. */
  userid: string | undefined;
  onReplied(): void;
}

/** A claim with its deadline, photos and thread, and a form while it accepts a reply. */
export function ClaimCard({ claim, userid, onReplied }: ClaimCardProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { claimid, kind, status, messages, photos, credited, reversed, reply_until: replyUntil } = claim;
  return (
    <Card as="li">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div>
          <h3 className="font-semibold">{t(claimKindNames[kind])}</h3>
          <p className="text-sm text-ink-soft tabular-nums">{t('Report {claimid}', { claimid })}</p>
        </div>
        <Badge tone={TONES[status]}>{claimStatusText(language, claim)}</Badge>
      </div>
      <ClaimThread messages={messages} photos={photos} customer={t('You')} photoPath={photoPath} />
      {credited !== null && credited > (reversed ?? 0) && (
        <p className="mt-4 font-semibold text-good">
          {t('We paid {amount} into your wallet.', { amount: rupees(credited - (reversed ?? 0)) })}
        </p>
      )}
      <ReversedCredit claim={claim} />
      {(status !== 'settled' || replyUntil !== null) && (
        <div className="mt-4 space-y-3">
          {replyUntil !== null && (
            <p className="text-sm text-ink-soft">
              {t('Not content? You can reply until {time}.', { time: formatDayTime(language, replyUntil) })}
            </p>
          )}
          <ClaimReply claim={claim} userid={userid} onReplied={onReplied} />
        </div>
      )}
    </Card>
  );
}
