import { useId } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { CheckIcon } from '../../../../ui/icons/status.tsx';
import { ClockIcon } from '../../../../ui/icons/order.tsx';
import { TIMESLOT } from '../../contract.ts';
import { cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';
import { PickupDayButton } from '../draft/pickup-day-button.tsx';
import { EveningNote } from '../draft/evening-note.tsx';
import { formatPickupDay } from '../draft/order-labels.ts';

/** A toggle for the only slot, which is chosen initially (design section 6, "Slot"). */
export function PickupSlot({ draft }: { draft: Draft }) {
  const { translateData } = useLanguage();
  const id = useId();
  return (
    <div className="space-y-2">
      <button
        type="button"
        aria-pressed={draft.slotChosen}
        aria-describedby={id}
        onClick={() => changeDraft(cartActions.toggleSlot)}
        className="inline-flex min-h-12 items-center gap-2 rounded-full border border-edge bg-surface px-5 font-semibold tabular-nums transition-colors hover:border-accent-ink aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent"
      >
        {draft.slotChosen ? <CheckIcon small /> : <ClockIcon small />}
        {translateData(TIMESLOT)}
      </button>
      <PickupDay id={id} draft={draft} />
    </div>
  );
}

/** The day of the pickup, and a link to change it. */
export function PickupDay({ draft, id }: { draft: Draft; id?: string }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <div>
      <div id={id} className="text-sm text-ink-soft">
        <p>{draft.pickupDay && t('Pickup day: {day}', { day: formatPickupDay(language, draft.pickupDay, serverClock.now()) })}</p>
        <EveningNote draft={draft} />
      </div>
      <PickupDayButton draft={draft} />
    </div>
  );
}
