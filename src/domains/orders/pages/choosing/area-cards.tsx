import { useId } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { ChoiceCard } from '../../../../ui/fields/choice-card.tsx';
import { AREAS, areaNames } from '../../../catalogue/contract.ts';
import { cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';
import { perUnit } from '../draft/order-words.ts';

/** The areas served, each with what the picked service costs there. */
export function AreaCards({ draft: { area: chosen, service } }: { draft: Draft }) {
  const language = useLanguage();
  const name = useId();
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{language.t('Your area')}</legend>
      {AREAS.map((area) => (
        <ChoiceCard
          key={area}
          name={name}
          value={area}
          title={language.translateData(areaNames[area])}
          aside={service && <span className="text-sm tabular-nums">{perUnit(language, service.rates[area], service.unit)}</span>}
          checked={chosen === area}
          onChoose={() => changeDraft((draft) => cartActions.chooseArea(draft, area))}
        />
      ))}
    </fieldset>
  );
}
