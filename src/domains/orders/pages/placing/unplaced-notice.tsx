import { useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { links } from '../../../../browser/links.ts';
import { entryState } from './confirm-entry.ts';
import { restoreDraft } from '../draft/draft.ts';
import { forgetUnplaced, type Unplaced } from './unplaced.ts';

/** On home, after an order could not be placed. */
export function UnplacedNotice({ unplaced: { attempt, error } }: { unplaced: Unplaced }) {
  const { t, formatMessage, translateData } = useLanguage();
  const navigate = useNavigate();
  const service = translateData(attempt.draft.service?.name ?? '');
  const tryAgain = () => {
    // Nobody knows whether it arrived: the same attempt under the same key finds out, and places it at most once.
    if (error === null) return void navigate(links.confirm(), { state: entryState({ status: 'placing', attempt }) });
    restoreDraft(attempt.draft);
    forgetUnplaced();
    void navigate(links.stages());
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
          <Button variant="primary" size="small" onClick={tryAgain}>
            {t('Try again')}
          </Button>
          <Button variant="quiet" size="small" onClick={forgetUnplaced}>
            {t('Discard')}
          </Button>
        </div>
      }
    >
      <p>{error === null ? t('We could not reach the server. Trying again places it only once.') : formatMessage(error)}</p>
    </Notice>
  );
}
