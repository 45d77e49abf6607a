import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { JobRun, System } from './contract.ts';
import { Details } from './details.tsx';
import { LEDGER_JOB } from './rules.ts';
import { JOB_NAMES, JOB_STATE_TEXTS, timeText } from './system-texts.ts';

/** The work that the program does by itself. The audit of the ledger has a card of its own. */
export function Jobs({ system: { jobs, now } }: { system: System }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="text-lg font-semibold">{t('Work in the background')}</h2>
      <p className="mt-1 text-ink-soft">{t('The program does this by itself, at least every hour.')}</p>
      <ul className="mt-2 divide-y divide-line">
        {jobs
          .filter(({ job }) => job !== LEDGER_JOB)
          .map((job) => (
            <JobLine key={job.job} job={job} now={now} />
          ))}
      </ul>
    </Card>
  );
}

/** 'plain' before the end of the first run and while one runs, 'bad' for every end but success. */
function badgeToneOf(run: JobRun['run']): 'plain' | 'good' | 'bad' {
  if (!run || run.state === 'running') return 'plain';
  return run.state === 'succeeded' ? 'good' : 'bad';
}

function JobLine({ job: { job, run }, now }: { job: JobRun; now: string }) {
  const language = useLanguage();
  const { t } = language;
  const name = JOB_NAMES[job];
  return (
    <li className="py-3">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="text-sm font-medium wrap-anywhere">{name ? t(name) : job}</h3>
        <span className="shrink-0">
          <Badge tone={badgeToneOf(run)}>{run ? t(JOB_STATE_TEXTS[run.state]) : t('Not yet')}</Badge>
        </span>
      </div>
      {run && (
        <p className="text-xs text-ink-soft tabular-nums">
          {timeText(language, run.started, now)}
          {run.seconds !== null && <> · {t('{seconds} s', { seconds: run.seconds })}</>}
          {run.state === 'failed' && run.succeeded && (
            <> · {t('done the last time {time}', { time: timeText(language, run.succeeded, now) })}</>
          )}
        </p>
      )}
      {run?.error && <Details summary={t('Error')} text={run.error} />}
    </li>
  );
}
