import type { Language } from '../../../i18n/language.tsx';
import { stageDisplay } from '../../orders/contract.ts';
import { isCollected } from '../../orders/phase-rules.ts';

/** Returns the name of the stage, and 'Collected' between the weighing and the queue. */
export const stageText = ({ t, translateData }: Language, { stage, weight }: { stage: string; weight: number | null }): string =>
  isCollected(stage, weight) ? t('Collected') : translateData(stageDisplay(stage).label);
