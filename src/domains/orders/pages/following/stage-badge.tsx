import { useLanguage } from '../../../../languages/language.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { stageShown } from '../../contract.ts';

const TONES: Readonly<Record<string, 'warn' | 'accent' | 'good'>> = {
  pickup: 'warn',
  queue: 'accent',
  washing: 'accent',
  delivery: 'accent',
  delivered: 'good',
};

export function StageBadge({ stage }: { stage: string }) {
  const { say } = useLanguage();
  return <Badge tone={TONES[stage] ?? 'plain'}>{say(stageShown(stage).label)}</Badge>;
}
