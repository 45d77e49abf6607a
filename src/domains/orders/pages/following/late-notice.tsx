import { useEffect, useState } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { fromKolkataDateTime } from '../../../../lib/dates.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { Order } from '../../contract.ts';
import { isCancelledStage } from '../../rules.ts';
import { isLate } from '../../visit-rules.ts';
import { ContactLinks } from './contact-links.tsx';

/** Timers of browsers end at once if they wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Apologises for a late order. A cancelled order has its own sentence about its clothes. */
export function LateNotice({ order }: { order: Order }) {
  const { t } = useLanguage();
  const { orderid, washing_stage: stage, due_at: dueAt, back_by: promised } = order;
  const [, setPassed] = useState<string>();
  useEffect(() => {
    if (dueAt === null) return;
    const left = fromKolkataDateTime(dueAt).getTime() + 1000 - serverClock.now().getTime();
    if (left <= 0) return;
    const timer = setTimeout(() => setPassed(dueAt), Math.min(left, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }, [dueAt]);
  const isShown = !isCancelledStage(stage) && isLate(order, serverClock.now());
  // A live region announces what appears in it.
  return (
    <div aria-live="polite" className="empty:hidden">
      {isShown && (
        <Notice
          tone="warn"
          title={dueAt === promised ? t('Your clothes are late, and we are sorry') : t('Our pickup is late, and we are sorry')}
          action={
            <div className="flex flex-wrap gap-3">
              <ContactLinks orderid={orderid} />
            </div>
          }
        >
          {dueAt === promised
            ? t('Please call us, and we will tell you when to expect them.')
            : t('Please call us, and we will tell you when we are coming.')}
        </Notice>
      )}
    </div>
  );
}
