import { useLanguage } from '../../../i18n/language.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import type { Area } from '../../catalogue/contract.ts';

interface AreaChoiceProps {
  areas: readonly { area: Area; name: string }[];
  area: Area | 'none';
  onChoose(area: Area): void;
}

export function AreaChoice({ areas, area, onChoose }: AreaChoiceProps) {
  const { t, translateData } = useLanguage();
  return (
    <SegmentedChoice
      legend={t('Your area')}
      variant="segments"
      options={areas.map(({ area: value, name }) => ({ value, label: translateData(name) }))}
      value={area === 'none' ? '' : area}
      onChange={onChoose}
    />
  );
}
