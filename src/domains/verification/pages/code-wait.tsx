import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { ClockIcon } from '../../../ui/icons/order.tsx';
import type { Wait } from './sent-code.ts';
import { useCountdown } from './use-countdown.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Formats whole seconds: up to 90 s in seconds, up to 90 min in minutes, then in hours. Minutes and
 * hours are rounded up.
 */
export function formatWait({ plural }: Language, seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return plural(seconds, { one: '{count} second', other: '{count} seconds' }, { count: seconds });
  const minutes = Math.ceil(seconds / MINUTE);
  if (seconds <= 1.5 * HOUR) return plural(minutes, { one: '{count} minute', other: '{count} minutes' }, { count: minutes });
  const hours = Math.ceil(seconds / HOUR);
  return plural(hours, { one: '{count} hour', other: '{count} hours' }, { count: hours });
}

/** Shows how long to wait for the next code, until the wait is over. */
export const CodeWait = ({ wait }: { wait: Wait }) => <CountedWait key={wait.startedAt} wait={wait} />;

/** Screen readers announce the wait once and not each second. */
function CountedWait({ wait }: { wait: Wait }) {
  const language = useLanguage();
  const secondsLeft = useCountdown(wait);
  const text = (seconds: number) =>
    language.t('You can request the next code in {wait}. What you typed stays here.', { wait: formatWait(language, seconds) });
  return (
    <div>
      <p role="alert" className="sr-only">
        {text(wait.seconds)}
      </p>
      {secondsLeft > 0 && (
        <p aria-hidden="true" className="flex gap-2 rounded-field bg-warn-soft p-3 text-sm text-ink tabular-nums">
          <span className="text-warn">
            <ClockIcon small />
          </span>
          {text(secondsLeft)}
        </p>
      )}
    </div>
  );
}
