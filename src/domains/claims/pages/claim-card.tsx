import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { photoPath, type Claim, type ClaimStatus } from '../contract.ts';
import { claimKindNames, claimStatusText } from './claim-texts.ts';

const TONES = { open: 'warn', answered: 'accent', settled: 'good' } as const satisfies Record<ClaimStatus, string>;

/** A report with its deadline, its photos and its thread. */
export function ClaimCard({ claim }: { claim: Claim }) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { brand } = useSiteConfig();
  const { claimid, kind, status, messages, photos, credited } = claim;
  return (
    <Card as="li">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div>
          <h3 className="font-semibold">{t(claimKindNames[kind])}</h3>
          <p className="text-sm text-ink-soft tabular-nums">{t('Report {claimid}', { claimid })}</p>
        </div>
        <Badge tone={TONES[status]}>{claimStatusText(language, claim)}</Badge>
      </div>
      <ol className="mt-4 space-y-4">
        {messages.map(({ author, message, message_date: date }) => (
          <li key={`${author} ${date} ${message}`} className={author === 'staff' ? 'rounded-field bg-accent-soft p-3' : undefined}>
            <p className="text-sm text-ink-soft">
              <span className="font-semibold text-ink">{author === 'staff' ? brand.name : t('You')}</span>
              <span aria-hidden="true"> · </span>
              {formatDayTime(language, date)}
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{message}</p>
          </li>
        ))}
      </ol>
      {photos.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-3">
          {photos.map((photoid, index) => (
            <li key={photoid}>
              <a href={photoPath(photoid)} target="_blank" rel="noreferrer" className="block rounded-field">
                <img
                  src={photoPath(photoid)}
                  alt={t('Photo {number}', { number: index + 1 })}
                  loading="lazy"
                  className="size-24 rounded-field border border-line bg-sunk object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {credited !== null && (
        <p className="mt-4 font-semibold text-good">{t('We paid {amount} into your wallet.', { amount: rupees(credited) })}</p>
      )}
    </Card>
  );
}
