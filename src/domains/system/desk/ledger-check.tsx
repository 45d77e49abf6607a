import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { checkLedger, systemMessages, type JobRun, type System } from './contract.ts';
import { Details } from './details.tsx';
import { ledgerRunOf } from './rules.ts';
import { JOB_STATE_TEXTS, timeText } from './system-texts.ts';

/** The audit of the ledger: its last result, its progress and the button that starts it. */
export function LedgerCheck({ system, onStarted }: { system: System; onStarted(): Promise<unknown> }) {
  const language = useLanguage();
  const { t } = language;
  const run = ledgerRunOf(system);
  const isRunning = run?.state === 'running';
  const { progress, steps } = system.ledger;
  const { pending, mutate } = useMutation<void>({
    async mutationFn() {
      await staffSend(checkLedger, {});
      showToast({ theme: 'green', text: systemMessages.checks });
      await onStarted();
    },
    onError: (error) => showProblem(error, 'checking the ledger'),
  });
  return (
    <Card as="section">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">{t('The ledger')}</h2>
        {run && <ResultBadge state={run.state} />}
      </div>
      <p className="mt-1 text-ink-soft">
        {t('Every wallet is compared with all its credits and payments. It happens by itself, at least once a day.')}
      </p>
      <div role="status" className="mt-3 space-y-2 text-sm">
        {isRunning && (
          <>
            <progress className="bar" max={steps} value={progress} aria-label={t('Checking the ledger')} />
            <p>{t('Step {step} of {steps}', { step: Math.min(progress + 1, steps), steps })}</p>
          </>
        )}
        {run?.succeeded && <p>{t('It added up on {time}.', { time: timeText(language, run.succeeded, system.now) })}</p>}
        {!run && <p>{t('It was not checked yet.')}</p>}
      </div>
      {run?.error && <Details summary={t('Details')} text={run.error} />}
      <div className="mt-4">
        <Button variant="secondary" pending={pending || isRunning} onClick={() => void mutate()}>
          {t('Check the ledger now')}
        </Button>
      </div>
    </Card>
  );
}

function ResultBadge({ state }: { state: NonNullable<JobRun['run']>['state'] }) {
  const { t } = useLanguage();
  if (state === 'succeeded') return <Badge tone="good">{t('Adds up')}</Badge>;
  return <Badge tone={state === 'running' ? 'plain' : 'bad'}>{t(JOB_STATE_TEXTS[state])}</Badge>;
}
