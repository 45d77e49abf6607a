import { useLanguage } from '../../i18n/language.tsx';
import { classes } from '../classes.ts';
import { CheckIcon } from '../icons/status.tsx';

export type StageTrackerProps = {
  /** The accessible name of the progress bar. */
  label: string;
  steps: readonly string[];
  /** -1 if the current stage is not one of the steps. */
  currentIndex: number;
  percent: number;
};

/** Progress through the stages of an order: a bar and a list of the steps. */
export function StageTracker({ label, steps, currentIndex, percent }: StageTrackerProps) {
  const { t } = useLanguage();
  const last = steps.length - 1;
  return (
    <div className="space-y-5">
      <div className="flex items-center gap-3">
        <progress className="bar" max={100} value={percent} aria-label={label} />
        <span aria-hidden="true" className="w-12 shrink-0 text-end text-sm font-semibold tabular-nums">
          {percent}%
        </span>
      </div>
      <ol aria-label={label} className="grid sm:auto-cols-fr sm:grid-flow-col">
        {steps.map((step, index) => {
          const reached = index <= currentIndex;
          const done = index < currentIndex || (reached && index === last);
          const current = index === currentIndex;
          return (
            <li
              key={step}
              aria-current={current ? 'step' : undefined}
              className="group relative flex items-center gap-3 pb-5 last:pb-0 sm:flex-col sm:gap-2 sm:pb-0 sm:text-center"
            >
              {index < last && (
                <span
                  className={classes(
                    'absolute start-3.5 top-8.5 h-[calc(100%-2.25rem)] w-0.5 sm:start-[calc(50%+1.125rem)] sm:top-3.5 sm:h-0.5 sm:w-[calc(100%-2.25rem)]',
                    index < currentIndex ? 'bg-accent-ink' : 'bg-line',
                  )}
                />
              )}
              <span
                className={classes(
                  'grid size-7.5 shrink-0 place-items-center rounded-full border-2',
                  done && 'border-accent bg-accent text-on-accent',
                  current && !done && 'border-accent-ink bg-surface ring-4 ring-accent-soft',
                  !reached && 'border-line bg-surface',
                )}
              >
                {done ? <CheckIcon small /> : current && <span className="size-2.5 rounded-full bg-accent-ink" />}
              </span>
              <span className={classes('text-sm sm:px-1 sm:text-xs md:text-sm', current ? 'font-semibold' : 'text-ink-soft')}>
                {step}
                {done && <span className="sr-only">{t(', done')}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
