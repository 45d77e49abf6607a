import { useEffect, useRef, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

/**
 * The question before an entry that is probably wrong. It receives the focus, which brings it into
 * view, with the button that confirms below it. A `key` makes another question a new one.
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
