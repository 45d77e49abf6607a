import { useId } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { ChoiceCard } from '../../../../ui/fields/choice-card.tsx';
import { SegmentedChoice } from '../../../../ui/fields/segmented-choice.tsx';
import { formatRateIn } from '../../../catalogue/pages/format-rate.ts';
import { AREAS, areaNames } from '../../../catalogue/contract.ts';
import { EmptyCatalogue } from '../../../catalogue/pages/empty-catalogue.tsx';
import { ProgramsFailed } from '../../../catalogue/pages/programs-failed.tsx';
import type { Service } from '../../../catalogue/rules.ts';
import { cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';

/** Selects area and program. `services` is null if they could not be loaded. */
export function ProgramChoice({ draft: { area, service: chosen }, services }: { draft: Draft; services: readonly Service[] | null }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const name = useId();
  return (
    <div className="space-y-4">
      <SegmentedChoice
        legend={t('Your area')}
        variant="segments"
        options={AREAS.map((value) => ({ value, label: translateData(areaNames[value]) }))}
        value={area === 'none' ? '' : area}
        onChange={(value) => changeDraft((draft) => cartActions.chooseArea(draft, value))}
      />
      {services ? (
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('Wash program')}</legend>
          {services.map((service) => (
            <ChoiceCard
              key={service.programid}
              name={name}
              value={service.programid}
              title={translateData(service.name)}
              aside={<span className="text-sm tabular-nums">{formatRateIn(area, language, service)}</span>}
              checked={chosen?.programid === service.programid}
              onChoose={() => changeDraft((draft) => cartActions.chooseService(draft, service))}
            >
              {translateData(service.description)}
            </ChoiceCard>
          ))}
        </fieldset>
      ) : (
        <ProgramsFailed />
      )}
      {services?.length === 0 && <EmptyCatalogue />}
    </div>
  );
}
