import { useQuery } from '../../../../browser/use-query.ts';
import { formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { staffSend } from '../../../staff/desk/session.ts';
import { deskError, getDeskOrder, type DeskOrder } from '../contract.ts';
import { staleError } from '../refusals.ts';
import { stageText } from '../stage-text.ts';

/** States in an open form that its order has changed, and its state if the order is loaded. */
export function ChangedNotice({ order }: { order: DeskOrder | undefined }) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  return (
    <Notice tone="warn" live title={order ? stateText(language, order) : formatMessage(staleError())}>
      {t('What you typed is still here, and is not saved. Close the form when you do not need it any more.')}
    </Notice>
  );
}

/** Loads the order for `ChangedNotice`: a list may not have it any more. */
export function ListedChangedNotice({ orderid }: { orderid: string }) {
  const query = useQuery<DeskOrder | undefined>({
    queryKey: [orderid],
    async queryFn({ signal }) {
      const result = await staffSend(getDeskOrder, { orderid }, { signal });
      return result.response === 'success' ? result.data : undefined;
    },
    // The notice then shows less.
    onError: () => undefined,
  });
  return <ChangedNotice order={query.status === 'success' ? query.data : undefined} />;
}

/** Returns the text that describes the new state of an order. */
function stateText(language: Language, { washing_stage: stage, total_weight: weight, pickup_date: day, history }: DeskOrder): string {
  const { t, formatMessage } = language;
  const cancelled = stage === 'cancelled' ? history.findLast(({ kind }) => kind === 'cancelled') : undefined;
  if (cancelled) {
    const code = cancelled.by.kind === 'customer' ? 'customer-cancelled' : 'laundry-cancelled';
    return formatMessage(deskError(code, { time: cancelled.at.slice(11, 16) }));
  }
  if (stage === 'pickup' && history.at(-1)?.kind === 'rescheduled') {
    return t('This pickup was moved to {day}.', { day: formatWeekday(language, day) });
  }
  return t('This order is now: {stage}', { stage: stageText(language, { stage, weight }) });
}
