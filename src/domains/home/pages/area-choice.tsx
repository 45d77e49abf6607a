import { SegmentedChoice } from '../../../ui/segmented-choice.tsx';
import type { Area } from '../../catalogue/contract.ts';

interface AreaChoiceProps {
  areas: readonly { area: Area; name: string }[];
  area: Area | 'none';
  onChoose(area: Area): void;
}

export function AreaChoice({ areas, area, onChoose }: AreaChoiceProps) {
  return (
    <SegmentedChoice
      legend="Your area"
      look="segments"
      options={areas.map(({ area: value, name: label }) => ({ value, label }))}
      value={area === 'none' ? '' : area}
      onChange={onChoose}
    />
  );
}
