import { useId, useState } from 'react';
import { formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { ChoiceCard } from '../../../../ui/fields/choice-card.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { kolkataDay } from '../../../../lib/dates.ts';
import type { Area } from '../../../catalogue/contract.ts';
import { useEvenings } from '../../../evenings/pages/use-evenings.ts';
import { WITHOUT_LIMITS } from '../../../evenings/rules.ts';
import type { Order } from '../../contract.ts';
import { offeredVisits } from '../../visit-rules.ts';

interface PickupDayFormProps {
  area: Area;
  timeslot: string;
  /** The day of the order, which can be full. Null if it has none. */
  current: string | null;
  /** The order, if it exists. Its failed visit can wait for another evening. */
  visit?: Pick<Order, 'attempt' | 'due_at'>;
  /** The evening on which the order has a place already. Null if it has none. */
  booked?: string | null;
  /** Deliveries take no place, so their evenings show no number of places. */
  isDelivery?: boolean;
  chosen: string;
  onChoose(day: string): void;
  onSubmit(): void;
  submitLabel: string;
  pending?: boolean;
  error?: string | null;
}

const NOT_ORDERED = { attempt: null, due_at: null };

/**
 * The evenings that an order can be for. Mounted when its dialog opens, so that it offers those of
 * that moment.
 */
export function PickupDayForm({
  area,
  timeslot,
  current,
  visit = NOT_ORDERED,
  booked = null,
  isDelivery = false,
  chosen,
  onChoose,
  onSubmit,
  submitLabel,
  pending = false,
  error = null,
}: PickupDayFormProps) {
  const language = useLanguage();
  const { t, plural, translateData } = language;
  const group = useId();
  const [now] = useState(() => serverClock.now());
  const evenings = useEvenings(area);
  const offered = offeredVisits(evenings?.[area] ?? WITHOUT_LIMITS, visit, now);
  const isChosen = offered.some(({ day }) => day === chosen);
  const hint =
    chosen === current
      ? t('Choose another day than {day}.', { day: formatWeekday(language, chosen) })
      : isChosen
        ? null
        : t('Choose a day first.');
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) onSubmit();
      }}
    >
      <fieldset className="space-y-3">
        <legend className="mb-3 text-ink-soft">
          {t('Our rider comes {timeslot}. Which day suits you?', { timeslot: translateData(timeslot) })}
        </legend>
        {offered.map(({ day, status, left }) => (
          <ChoiceCard
            key={day}
            name={group}
            value={day}
            checked={day === chosen}
            disabled={status === 'full' && day !== current}
            onChoose={() => onChoose(day)}
            title={day === kolkataDay(now) ? t('Today, {day}', { day: formatWeekday(language, day) }) : formatWeekday(language, day)}
            aside={
              status === 'full'
                ? // The customer's own order is booked on this full evening.
                  day !== current && t('Full')
                : left !== null &&
                  !isDelivery &&
                  day !== booked &&
                  plural(left, { one: '{count} place left', other: '{count} places left' }, { count: left })
            }
          />
        ))}
      </fieldset>
      <FormError text={error} />
      <div className="space-y-2">
        <Button type="submit" variant="primary" wide pending={pending} disabled={hint !== null}>
          {submitLabel}
        </Button>
        <p className="text-center text-sm text-ink-soft empty:hidden">{hint}</p>
      </div>
    </form>
  );
}
