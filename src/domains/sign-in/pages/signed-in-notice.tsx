import { useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../browser/session-user.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { useEmbedding } from '../../../shared/embedding.ts';
import { links } from '../../../shared/links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** For a customer who opens a form of the log-in and is logged in. Not after a log-in with it. */
export function SignedInNotice() {
  const { t } = useLanguage();
  const session = useSession();
  const isEmbedded = useEmbedding() !== undefined;
  const [first, setFirst] = useState(session);
  if (first === 'unknown' && session !== 'unknown') setFirst(session);
  if (isEmbedded || typeof first !== 'object' || typeof session !== 'object') return null;
  return (
    <div className="mb-5">
      <Notice
        tone="info"
        live
        title={t('You are logged in as {name}', { name: session.name })}
        action={
          <Link to={links.home()} className={buttonStyles('secondary', 'small')}>
            {t('Go to home')}
          </Link>
        }
      >
        {t('With this form you continue with another account.')}
      </Notice>
    </div>
  );
}
