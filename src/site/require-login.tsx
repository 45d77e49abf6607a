/**
 * Protects a page for customers: without a session, shows a link to the log-in page and redirects
 * after a delay.
 */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { buttonStyles } from '../ui/actions/button-styles.ts';
import { EmptyBasketArt } from '../ui/art/empty.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { links, type ReturnState } from '../shared/links.ts';
import { useDelayedRedirect, type RedirectDelay } from '../browser/redirects.ts';
import { useSession, type SessionUser } from '../browser/session-user.ts';

interface RequireLoginProps {
  /** The delay before the redirect (browser/redirects.ts). */
  delay: RedirectDelay;
  /** Shown while the session is unknown. */
  fallback: ReactNode;
  /** The heading shown without a session. */
  title?: string | undefined;
  children(user: SessionUser): ReactNode;
}

export function RequireLogin({ delay, fallback, title, children }: RequireLoginProps) {
  const { t } = useLanguage();
  const session = useSession();
  const { pathname } = useLocation();
  useDelayedRedirect(session === 'signed-out', links.login(), delay, { returnTo: pathname });
  if (session === 'unknown') return fallback;
  if (session !== 'signed-out') return children(session);
  return (
    <EmptyState
      art={<EmptyBasketArt />}
      title={title ?? t('Please login first')}
      text={t('We take you to the login page in a moment.')}
      action={
        <Link to={links.login()} state={{ returnTo: pathname } satisfies ReturnState} className={buttonStyles('primary')}>
          {t('Login')}
        </Link>
      }
    />
  );
}
