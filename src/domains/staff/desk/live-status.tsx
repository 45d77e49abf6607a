import { formatTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { LiveState } from './use-desk-events.ts';

/** 'Live', or since when the screen is not. */
export function LiveStatus({ isLive, updatedAt }: LiveState) {
  const language = useLanguage();
  const { t } = language;
  const text = isLive
    ? t('Live')
    : updatedAt === null
      ? t('Connecting')
      : t('Not updated since {time}', { time: formatTime(language, updatedAt) });
  return (
    <p role="status" className={`flex items-center gap-2 text-sm font-medium ${isLive ? 'text-good' : 'text-warn'}`}>
      <span aria-hidden="true" className={`size-2.5 rounded-full ${isLive ? 'bg-good' : 'bg-warn'}`} />
      {text}
    </p>
  );
}
