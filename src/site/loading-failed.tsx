import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/actions/button.tsx';
import { Notice } from '../ui/feedback/notice.tsx';

/** Replaces content that failed to load. */
export function LoadingFailed({ title, onRetry }: { title: string; onRetry(): void }) {
  const { t } = useLanguage();
  return (
    <Notice
      tone="bad"
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
