import { useLanguage } from '../../../../i18n/language.tsx';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { stageShown } from '../../contract.ts';

const TONES: Readonly<Record<string, 'warn' | 'accent' | 'good'>> = {
  pickup: 'warn',
  queue: 'accent',
  washing: 'accent',
  delivery: 'accent',
  delivered: 'good',
};

export function StageBadge({ stage }: { stage: string }) {
  const { translateData } = useLanguage();
  return <Badge tone={TONES[stage] ?? 'plain'}>{translateData(stageShown(stage).label)}</Badge>;
}
