import { useLanguage } from '../../../i18n/language.tsx';
import { ShareBar } from '../../../ui/layout/share-bar.tsx';
import { Stars } from '../../../ui/layout/stars.tsx';
import { STAR_LEVELS, type Summary } from '../contract.ts';
import { percentOf, totalReviews } from '../rules.ts';

/** The average to one decimal, and a bar for each star level (specification section 9). */
export function RatingSummary({ summary }: { summary: Summary }) {
  const { t, plural } = useLanguage();
  const all = totalReviews(summary);
  return (
    <section
      aria-label={t('Average rating')}
      className="grid grid-cols-1 gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:grid-cols-[auto_minmax(0,1fr)] sm:items-center sm:gap-10 sm:p-8"
    >
      <div className="flex flex-wrap items-center gap-4 sm:flex-col sm:gap-2">
        <p className="text-display font-extrabold tabular-nums">{summary.average.toFixed(1)}</p>
        <div className="sm:text-center">
          <Stars rating={summary.average} />
          <p className="text-sm text-ink-soft">
            {plural(all, { one: '1 review', other: '{count} reviews' }, { count: all.toLocaleString('en-IN') })}
          </p>
        </div>
      </div>
      <div className="space-y-2">
        {STAR_LEVELS.map(({ star, label }) => (
          <ShareBar key={star} label={t(label)} percent={percentOf(summary, star)} tone="star" />
        ))}
      </div>
    </section>
  );
}
