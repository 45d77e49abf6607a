import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { defineMessages } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { useKeptFocus } from '../../../../ui/use-kept-focus.ts';
import type { Order, Stage } from '../../contract.ts';
import type { HistoryKind } from '../../history-contract.ts';
import { attemptReasons, isVisitLater, type AttemptReason } from '../../visit-rules.ts';
import { ContactLinks } from './contact-links.tsx';

const REASONS = defineMessages({
  'nobody-home': 'We came on {time} and met nobody.',
  'nothing-to-collect': 'We came on {time}, and there was nothing to collect.',
  refused: 'We came on {time}, but we were sent away at the door.',
  address: 'We came on {time}, but we did not find your address.',
  other: 'We came on {time}, but the visit did not succeed.',
} satisfies Record<AttemptReason, string>);

/**
 * The last visit of the rider, which failed, and what the customer can do about it: choose another
 * evening. Then the evening of another delivery. That of a pickup is in the details of the order.
 */
export function FailedVisit({ order, onChoose }: { order: Order; onChoose(): void }) {
  const language = useLanguage();
  const { t, formatMessage, translateData } = language;
  const { attempt, delivery_date: deliveryDay, history, orderid, timeslot, washing_stage: stage } = order;
  const isPickup = stage === ('pickup' satisfies Stage);
  const isDelivery = stage === ('delivery' satisfies Stage);
  const ourChoice = deliveryDay === null ? undefined : history.findLast(({ kind }) => kind === ('delivery-chosen' satisfies HistoryKind));
  // The choice of an evening removes the button of its dialog.
  const region = useKeptFocus();
  // A live region announces what appears in it.
  return (
    <div>
      <div ref={region} tabIndex={-1} aria-live="polite">
        {attempt && (
          <Notice
            tone="warn"
            title={isPickup ? t('We could not collect your clothes') : t('We could not bring back your clothes')}
            action={
              <div className="flex flex-wrap gap-3">
                {(isPickup || isDelivery) && (
                  <Button variant="secondary" size="small" onClick={onChoose}>
                    {isPickup ? t('Choose another day') : t('Choose the evening')}
                  </Button>
                )}
                {!isPickup && <ContactLinks orderid={orderid} />}
              </div>
            }
          >
            <p>{formatMessage({ key: reasonText(stage, attempt.why), values: { time: formatDayTime(language, attempt.at) } })}</p>
            <p>
              {isPickup || isDelivery
                ? t('Please choose the evening on which we should come again.')
                : t('Please tell us when we should come again, by a call or on WhatsApp.')}
            </p>
          </Notice>
        )}
        {deliveryDay !== null && (
          <Notice
            tone="info"
            title={t('We bring your clothes on {day}, {timeslot}', {
              day: formatWeekday(language, deliveryDay),
              timeslot: translateData(timeslot),
            })}
            action={
              <Button variant="secondary" size="small" onClick={onChoose}>
                {t('Choose another evening')}
              </Button>
            }
          >
            <p>
              {ourChoice?.reason === undefined
                ? t('You chose this evening after a visit that did not succeed.')
                : t('{text}: {reason}', { text: formatDayTime(language, ourChoice.at), reason: ourChoice.reason })}
            </p>
            {isVisitLater(order, serverClock.now()) && order.hand_over_code !== null && (
              <p>{t('Your hand-over code is here on that day.')}</p>
            )}
          </Notice>
        )}
      </div>
    </div>
  );
}

/** Returns the text of a reason, of 'other' for an unknown one, which a newer server can send. */
const reasonText = (stage: string, why: string) => REASONS[attemptReasons(stage).find((reason) => reason === why) ?? 'other'];
