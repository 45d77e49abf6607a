import { useState } from 'react';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { defineMessages } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { Stage } from '../../contract.ts';
import { ATTEMPT_REASONS, type AttemptReason } from '../../rules.ts';
import { ContactLinks } from './contact-links.tsx';
import { RescheduleDialog, type OrderChangesProps } from './order-changes.tsx';

const REASONS = defineMessages({
  'nobody-home': 'We came on {time} and met nobody.',
  'nothing-to-collect': 'We came on {time}, and there was nothing to collect.',
  refused: 'We came on {time}, but we were sent away at the door.',
  address: 'We came on {time}, but we did not find your address.',
  other: 'We came on {time}, but the visit did not succeed.',
} satisfies Record<AttemptReason, string>);

/** The last visit of the rider, which failed, and what the customer can do about it. */
export function FailedVisit({ order, userid, onChanged }: OrderChangesProps) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  const [isChoosing, setChoosing] = useState(false);
  const { attempt, orderid, washing_stage: stage } = order;
  const isPickup = stage === ('pickup' satisfies Stage);
  const closeDialog = () => setChoosing(false);
  // A live region announces what appears in it.
  return (
    <div aria-live="polite">
      {attempt && (
        <Notice
          tone="warn"
          title={isPickup ? t('We could not collect your clothes') : t('We could not bring back your clothes')}
          action={
            isPickup ? (
              <Button variant="secondary" size="small" onClick={() => setChoosing(true)}>
                {t('Choose another day')}
              </Button>
            ) : (
              <div className="flex flex-wrap gap-3">
                <ContactLinks orderid={orderid} />
              </div>
            )
          }
        >
          <p>{formatMessage({ key: reasonText(attempt.why), values: { time: formatDayTime(language, attempt.at) } })}</p>
          <p>
            {isPickup
              ? t('Please choose the evening on which we should come again.')
              : t('Please tell us when we should come again, by a call or on WhatsApp.')}
          </p>
        </Notice>
      )}
      <RescheduleDialog open={isChoosing} onClose={closeDialog} {...{ order, userid, onChanged }} />
    </div>
  );
}

/** A newer server can know more reasons. */
const reasonText = (why: string) => REASONS[ATTEMPT_REASONS.find((reason) => reason === why) ?? 'other'];
