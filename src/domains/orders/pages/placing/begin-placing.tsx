import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { OrderLoader } from './order-loader.tsx';
import { links } from '../../../../browser/links.ts';
import { entryState } from './confirm-entry.ts';
import type { Attempt } from './unplaced.ts';

/** Writes the attempt into this history entry before anything is sent: whatever happens from here on, coming back finds it. */
export function BeginPlacing({ draft, userid }: Attempt) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate(links.confirm(), { replace: true, state: entryState({ status: 'placing', attempt: { draft, userid } }) });
  }, [draft, userid, navigate]);
  return <OrderLoader label={t('Placing your order')} />;
}
