import { useLanguage } from '../../../../i18n/language.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { choicesOf, orderMessages } from '../../contract.ts';
import type { Draft } from '../draft/cart-state.ts';
import { shownChoices } from '../draft/order-words.ts';
import { PickupSlot } from './pickup-slot.tsx';

/** Stage 1: what the service uses, when the clothes are fetched, and what is known only then. */
export function CartOptions({ draft }: { draft: Draft }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <div className="space-y-4">
      <section className="space-y-2">
        <h4 className="text-sm font-medium">{t('Pickup timeslot')}</h4>
        <PickupSlot draft={draft} />
      </section>
      <DefinitionTable
        rows={[
          ...(draft.service ? shownChoices(language, choicesOf(draft.service.programid)) : []),
          { label: t('Items'), value: t(orderMessages.atPickup) },
          { label: t('Weight (kg)'), value: t(orderMessages.atPickup) },
        ]}
      />
    </div>
  );
}
