import { useLanguage } from '../../../../i18n/language.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useLoadedEvenings } from '../../../evenings/pages/use-evenings.ts';
import { comingEvenings, firstFree } from '../../../evenings/rules.ts';
import type { Draft } from './cart-state.ts';
import { formatPickupDay } from './order-labels.ts';

/**
 * Why the pickup is not on the next evening or the chosen one, and how many places are left if
 * there are only a few. Renders nothing for an evening without a limit.
 */
export function EveningNote({ draft: { area, pickupDay, chosenDay } }: { draft: Draft }) {
  const language = useLanguage();
  const { t, plural, day: formatDay } = language;
  const evenings = useLoadedEvenings();
  if (!evenings || area === 'none' || pickupDay === null) return null;
  const now = serverClock.now();
  const coming = comingEvenings(evenings[area], now);
  if (!firstFree(coming)) {
    return (
      <p className="font-medium text-warn">
        {t('All evenings until {day} are full. Please try again tomorrow or call us.', { day: formatDay(coming.at(-1)!.day) })}
      </p>
    );
  }
  const left = coming.find(({ day }) => day === pickupDay)?.left ?? null;
  const wanted = chosenDay ?? coming[0].day;
  /** Undefined for a day that is over. */
  const status = coming.find(({ day }) => day === wanted)?.status;
  const skipped = { day: formatPickupDay(language, wanted, now) };
  return (
    <>
      {wanted !== pickupDay && status !== 'free' && (
        <p>
          {status === 'full'
            ? t('{day}: full. This is the next free evening.', skipped)
            : t('{day}: closed. This is the next free evening.', skipped)}
        </p>
      )}
      {left !== null && (
        <p className="font-semibold text-warn">
          {plural(left, { one: '{count} place left', other: '{count} places left' }, { count: left })}
        </p>
      )}
    </>
  );
}
