import { useLanguage } from '../../i18n/language.tsx';
import { classes } from '../classes.ts';
import { CheckIcon } from '../icons/status.tsx';

export interface TrackerStep {
  label: string;
  /** When the step was reached. */
  time?: string | undefined;
  /** Although it is the current step: the next has not begun. The bar then has no percentage. */
  isDone?: boolean;
}

export type StageTrackerProps = {
  /** The accessible name of the progress bar and of the list. */
  label: string;
  /** Five steps, at 0, 25, 50, 75 and 100 %. */
  steps: readonly TrackerStep[];
  /** -1 if the current stage is not one of the steps. */
  currentIndex: number;
  percent: number;
};

/**
 * Progress through the stages of an order: a bar and a list of the steps. On wide screens the bar
 * connects the middles of the first and the last step, so that its end meets the current step.
 */
export function StageTracker({ label, steps, currentIndex, percent }: StageTrackerProps) {
  const { t } = useLanguage();
  const last = steps.length - 1;
  return (
    <div className="relative space-y-5 sm:space-y-0">
      <div className="flex items-center gap-3 sm:absolute sm:start-[10%] sm:end-0 sm:top-3.5 sm:grid sm:-translate-y-1/2 sm:grid-cols-[8fr_1fr] sm:gap-0">
        <progress className="bar" max={100} value={percent} aria-label={label} />
        {!steps[currentIndex]?.isDone && (
          <span aria-hidden="true" className="w-12 shrink-0 text-end text-sm font-semibold tabular-nums sm:w-auto">
            {percent}%
          </span>
        )}
      </div>
      <ol aria-label={label} className="relative grid sm:auto-cols-fr sm:grid-flow-col">
        {steps.map(({ label: step, time, isDone = false }, index) => {
          const reached = index <= currentIndex;
          const done = isDone || index < currentIndex || (reached && index === last);
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
                    'absolute start-3.5 top-8.5 h-[calc(100%-2.25rem)] w-0.5 sm:hidden',
                    index < currentIndex ? 'bg-accent-ink' : 'bg-line',
                  )}
                />
              )}
              <span
                className={classes(
                  'relative grid size-7.5 shrink-0 place-items-center rounded-full border-2',
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
                {time && <span className="block text-xs font-normal text-ink-soft tabular-nums">{time}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
