/**
 * Protects a page for customers: without a session, shows a link to the log-in page and redirects
 * after a delay. The log-in returns to the page.
 */
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useLanguage } from '../i18n/language.tsx';
import { buttonStyles } from '../ui/actions/button-styles.ts';
import { EmptyBasketArt } from '../ui/art/empty.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { links, type ReturnState } from '../shared/links.ts';
import { useDelayedRedirect, type RedirectDelay } from '../browser/redirects.ts';
import { useSession, type SessionUser } from '../browser/session-user.ts';
import { MAIN_ID } from './site-layout.tsx';

interface RequireLoginProps {
  /** The delay before the redirect (browser/redirects.ts). */
  delay: RedirectDelay;
  /** Shown while the session is unknown. */
  fallback: ReactNode;
  /** The heading shown without a session. */
  title?: string | undefined;
  /** A session without `userid`, that of a guest, has ended on this page. */
  hasGuestSessionEnded?: boolean;
  /** Shown below the heading, unless a session has ended on this page. */
  note?: ReactNode;
  children(user: SessionUser): ReactNode;
}

export function RequireLogin({ delay, fallback, title, hasGuestSessionEnded = false, note, children }: RequireLoginProps) {
  const { t } = useLanguage();
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const returnTo = `${pathname}${search}${hash}`;
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (typeof session === 'object' && !wasSignedIn) setWasSignedIn(true);
  const hasEnded = session === 'signed-out' && (wasSignedIn || hasGuestSessionEnded);
  useEffect(() => {
    if (!hasEnded) return;
    // As a new page: the content that had the focus is gone.
    window.scrollTo({ top: 0 });
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  }, [hasEnded]);
  useDelayedRedirect(session === 'signed-out', links.login(), delay, { returnTo, hadSession: wasSignedIn });
  if (session === 'unknown') return fallback;
  if (session !== 'signed-out') return children(session);
  return (
    <>
      <EmptyState
        art={<EmptyBasketArt />}
        title={title ?? t('Please login first')}
        text={
          hasEnded
            ? t('Your session has ended. We take you to the login page in a moment, and back here after the login.')
            : t('We take you to the login page in a moment.')
        }
        action={
          <Link to={links.login()} state={{ returnTo, hadSession: wasSignedIn } satisfies ReturnState} className={buttonStyles('primary')}>
            {t('Login')}
          </Link>
        }
      />
      {!hasEnded && note}
    </>
  );
}
