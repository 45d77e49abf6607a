import { useEffect, useState, type ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { systemClock } from '../../../../lib/clock.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { seenTexts } from './seen-orders.ts';

const MINUTE_MS = 60_000;

/** 'Seen Sun, Nov 22, 7:42 PM, 5 minutes ago'. */
export function SeenAt({ seenAt }: { seenAt: number }) {
  const { t, code } = useLanguage();
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return t('Seen {time}, {age}', seenTexts(seenAt, now, { code, justNow: t('just now') }));
}

interface SeenNoticeProps {
  title: string;
  children: ReactNode;
  onRetry(): void;
}

/** Precedes content that can be out of date. Loads it again when the connection is back. */
export function SeenNotice({ title, children, onRetry }: SeenNoticeProps) {
  const { t } = useLanguage();
  useEffect(() => {
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [onRetry]);
  return (
    <Notice
      tone="warn"
      live
      title={title}
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
