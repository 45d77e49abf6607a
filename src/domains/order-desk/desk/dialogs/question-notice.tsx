import { useEffect, useRef, type ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';

/**
 * The question before an entry that is probably wrong. Receives the focus and scrolls into view
 * when it mounts: pass a `key`, so that another question mounts it again.
 */
export function QuestionNotice({ children }: { children: ReactNode }) {
  const { t } = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={t('Is this right?')} className="rounded-card">
      <Notice tone="warn" title={t('Is this right?')}>
        {children}
      </Notice>
    </div>
  );
}
