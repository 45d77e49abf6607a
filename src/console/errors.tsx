import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { reportProblem } from '../domains/error-reports/pages/problem.ts';
import { StaffPage } from '../domains/staff/desk/staff-page.tsx';
import { useLanguage } from '../i18n/language.tsx';
import { staffLinks } from '../shared/staff-links.ts';
import { buttonStyles } from '../ui/actions/button-styles.ts';
import { Button } from '../ui/actions/button.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { LostSockArt } from '../ui/art/empty.tsx';

export function NotFound() {
  const { t } = useLanguage();
  return <NoScreen title={t('404 not found')} text={t('There is no page at this address.')} />;
}

/** Replaces a screen whose calls the role may not make. */
export function NotAllowed() {
  const { t } = useLanguage();
  return <NoScreen title={t('Not for your role')} text={t('Your role may not open this page. Ask the owner if you need it.')} />;
}

function NoScreen({ title, text }: { title: string; text: string }) {
  const { t } = useLanguage();
  return (
    <StaffPage title={title} width="text">
      <EmptyState
        art={<LostSockArt />}
        title={text}
        action={
          <Link to={staffLinks.today()} className={buttonStyles('primary')}>
            {t('Today')}
          </Link>
        }
      />
    </StaffPage>
  );
}

/** Replaces a screen that threw an error, or whose script did not load. */
export function ScreenFailed() {
  const { t } = useLanguage();
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  useEffect(() => {
    if (!isMissing) reportProblem(error, { doing: 'showing a screen of the console' });
  }, [error, isMissing]);
  if (isMissing) return <NotFound />;
  return (
    <StaffPage title={t('Something went wrong')} width="text">
      <EmptyState
        art={<LostSockArt />}
        title={t('This screen could not be shown.')}
        action={
          <Button variant="primary" onClick={() => window.location.reload()}>
            {t('Try again')}
          </Button>
        }
      />
    </StaffPage>
  );
}
