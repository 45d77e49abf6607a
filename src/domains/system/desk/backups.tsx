import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { System } from './contract.ts';
import { timeText } from './system-texts.ts';

/** The age of the last backup. Renders nothing in a demonstration without a backup. */
export function Backups({ system: { backup, now } }: { system: System }) {
  const language = useLanguage();
  const { t } = language;
  const { is_expected: isExpected, succeeded } = backup;
  if (!isExpected && succeeded === null) return null;
  return (
    <Card as="section">
      <h2 className="text-lg font-semibold">{t('Backups')}</h2>
      <p className="mt-1 text-ink-soft">
        {succeeded === null ? t('There is no backup yet.') : t('The last one is of {time}.', { time: timeText(language, succeeded, now) })}
      </p>
    </Card>
  );
}
