import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/actions/button.tsx';
import { Notice } from '../ui/feedback/notice.tsx';

interface LoadingFailedProps {
  title: string;
  /** Set it above content that stays after a failed refetch: screen readers announce the notice. */
  live?: boolean;
  onRetry(): void;
}

/** Replaces content that failed to load, or precedes content that failed to load again. */
export function LoadingFailed({ title, live = false, onRetry }: LoadingFailedProps) {
  const { t } = useLanguage();
  return (
    <Notice
      tone="bad"
      live={live}
      title={title}
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    >
      {t('Please try again in a moment.')}
    </Notice>
  );
}
