import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { links, type ReturnState } from '../../../../shared/links.ts';
import { toHistoryState } from './confirm-entry.ts';
import { restoreDraft } from '../draft/draft.ts';
import { clearUnplaced, type Unplaced } from './unplaced.ts';

/** Shown on home after an order could not be placed. */
export function UnplacedNotice({ unplaced: { attempt, error } }: { unplaced: Unplaced }) {
  const { t, formatMessage, translateData } = useLanguage();
  const navigate = useNavigate();
  const service = translateData(attempt.draft.service?.name ?? '');
  const restore = () => {
    restoreDraft(attempt.draft);
    clearUnplaced();
  };
  const tryAgain = () => {
    // It is unknown whether the order was placed. A retry with the same key places it at most once.
    if (error === null) return void navigate(links.confirm(), { state: toHistoryState({ status: 'placing', attempt }) });
    restore();
    void navigate(links.stages());
  };
  const mustLogIn = error?.code === 'login-required';
  const discard = () => {
    clearUnplaced();
    // The button, which had the focus, is removed.
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  };
  return (
    <Notice
      tone="warn"
      title={
        error === null
          ? t('Your {service} order may not have been placed', { service })
          : t('Your {service} order was not placed', { service })
      }
      action={
        <div className="flex flex-wrap gap-2">
          {mustLogIn ? (
            <Link
              to={links.login()}
              state={{ returnTo: links.overview() } satisfies ReturnState}
              className={buttonStyles('primary', 'small')}
              onClick={restore}
            >
              {t('Login')}
            </Link>
          ) : (
            <Button variant="primary" size="small" onClick={tryAgain}>
              {t('Try again')}
            </Button>
          )}
          <Button variant="quiet" size="small" onClick={discard}>
            {t('Discard')}
          </Button>
        </div>
      }
    >
      <p>{error === null ? t('We could not reach the server. Trying again places it only once.') : formatMessage(error)}</p>
    </Notice>
  );
}
