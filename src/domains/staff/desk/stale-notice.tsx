import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** States in an open form that what it changes has changed. `children` have the current values. */
export function StaleNotice({ children }: { children: ReactNode }) {
  const { t } = useLanguage();
  return (
    <Notice tone="warn" live title={t('This was changed while the form was open')}>
      {children}
      <p className="mt-1">{t('What you typed is still here, and is not saved.')}</p>
    </Notice>
  );
}
