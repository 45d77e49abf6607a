/** Is everything working, and what does the owner do if not? docs/decisions/0065. */
import { useEffect, useEffectEvent, useState } from 'react';
import { useQuery } from '../../../browser/use-query.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { getSystem, type System } from './contract.ts';
import { Backups } from './backups.tsx';
import { ErrorReports } from './error-reports.tsx';
import { Jobs } from './jobs.tsx';
import { LedgerCheck } from './ledger-check.tsx';
import { ledgerRunOf, problemsOf } from './rules.ts';
import { MESSAGE_KIND_TEXTS, PROBLEMS } from './system-texts.ts';
import { UnsentMessages } from './unsent-messages.tsx';

const POLL_MS = 1500;

export function Component() {
  const { t } = useLanguage();
  const query = useQuery<System>({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getSystem, {}, { signal }),
    onError: (error) => showProblem(error, 'loading the system'),
  });
  const system = query.status === 'success' ? query.data : undefined;
  const isChecking = system !== undefined && ledgerRunOf(system)?.state === 'running';
  const { refetch } = query;
  const poll = useEffectEvent(() => void refetch());
  useEffect(() => {
    if (!isChecking) return;
    const timer = setInterval(() => poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [isChecking]);
  // Another number loads the lists again.
  const [refreshes, setRefreshes] = useState(0);
  return (
    <StaffPage width="text" title={t('System')} text={t('Is everything working, and what do I do if not?')}>
      <LoadState
        query={query}
        loading={t('Loading the system')}
        failed={t('The system could not be loaded')}
        shapes={['block', 'order', 'order']}
      />
      {system && (
        <>
          {query.status === 'success' && query.isRefetchError && (
            <LoadingFailed live title={t('The system could not be loaded')} onRetry={() => void refetch()} />
          )}
          <Health
            system={system}
            onRefresh={() => {
              setRefreshes(refreshes + 1);
              void refetch();
            }}
          />
          <UnsentMessages
            key={`messages ${refreshes}`}
            now={system.now}
            areAllKindsSent={system.messages.unsent_kinds.length === 0}
            onChanged={refetch}
          />
          <LedgerCheck system={system} onStarted={refetch} />
          <ErrorReports key={`errors ${refreshes}`} now={system.now} lastDay={system.reports} />
          <Jobs system={system} />
          <Backups system={system} />
        </>
      )}
    </StaffPage>
  );
}

function Health({ system, onRefresh }: { system: System; onRefresh(): void }) {
  const language = useLanguage();
  const { t } = language;
  const problems = problemsOf(system);
  const isWorking = problems.every((problem) => PROBLEMS[problem].tone === 'info');
  return (
    <section aria-label={t('Is everything working?')} className="space-y-3">
      {isWorking && (
        <Notice tone="good" title={problems.length === 0 ? t('Everything is working') : t('Everything that is set up is working')}>
          {system.messages.codes_sent > 0 ? t('Codes go out.') : t('No code was sent in the last hour.')}{' '}
          {ledgerRunOf(system)?.succeeded ? t('The ledger adds up.') : t('The ledger was not checked yet.')}{' '}
          {t('The work in the background is done.')}
        </Notice>
      )}
      {problems.map((problem) => {
        const { tone, title, advice } = PROBLEMS[problem];
        return (
          <Notice key={problem} tone={tone} title={t(title)}>
            {t(advice)}
            {problem === 'some-messages-off' && (
              <ul className="mt-1 list-disc pl-5">
                {system.messages.unsent_kinds.map((kind) => (
                  <li key={kind}>{t(MESSAGE_KIND_TEXTS[kind])}</li>
                ))}
              </ul>
            )}
          </Notice>
        );
      })}
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" size="small" onClick={onRefresh}>
          {t('Look again')}
        </Button>
        <p className="text-sm text-ink-soft" role="status">
          {t('As of {time}', { time: formatDayTime(language, system.now) })}
        </p>
      </div>
    </section>
  );
}
