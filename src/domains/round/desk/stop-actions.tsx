import { useState } from 'react';
import { serverClock } from '../../../browser/server-clock.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { stageDisplay } from '../../orders/contract.ts';
import { MAX_WRONG_CODES, move, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { AttemptDialog } from '../../order-desk/desk/attempt-dialog.tsx';
import { HandOverDialog } from '../../order-desk/desk/hand-over-dialog.tsx';
import { PaymentDialog } from '../../order-desk/desk/payment-dialog.tsx';
import { WeighDialog } from '../../order-desk/desk/weigh-dialog.tsx';
import { isAllowed, laterVisitDay, mayDo, nextOf, type DeskAction } from '../../order-desk/desk/rules.ts';
import { useMe } from '../../staff/desk/session.ts';
import { useKeptChange } from './use-kept-change.ts';

type Open = 'weigh' | 'receive' | 'hand-over' | 'attempt';

/** The actions that the stage allows now. The next step is the largest. */
export function StopActions({ stop }: { stop: ListedOrder }) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  const [open, setOpen] = useState<Open>();
  const { pending, change } = useKeptChange(stop);
  const { orderid, version, stage } = stop;
  const target = { orderid, version };
  const close = () => setOpen(undefined);
  const dialog = { order: stop, pending, change, onClose: close };
  const next = nextOf(stop);
  const laterDay = laterVisitDay(stop, serverClock.now());
  const needsWeight = stage === 'pickup' && stop.weight === null;
  // A stop whose clothes are back is none.
  const step = { ...stop, isReturned: false };
  const can = (action: DeskAction) => isAllowed(step, action) && mayDo(role, action);
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        {can('weigh') && (
          <Button variant={needsWeight ? 'primary' : 'secondary'} size="small" onClick={() => setOpen('weigh')}>
            {needsWeight ? t('Weigh') : t('Weigh again')}
          </Button>
        )}
        {can('hand-over') && (
          <Button variant="primary" size="small" onClick={() => setOpen('hand-over')}>
            {stop.to_return ? t('Return the clothes') : t('Hand over')}
          </Button>
        )}
        {next && stage === 'pickup' && can('move') && (
          <Button
            variant="primary"
            size="small"
            pending={pending}
            onClick={() => void change({ call: move, body: { ...target, stage: next }, done: msg('Moved') })}
          >
            {t('Move to {stage}', { stage: translateData(stageDisplay(next).label) })}
          </Button>
        )}
        {can('receive') && (stop.left_to_pay ?? 0) > 0 && (
          <Button variant="secondary" size="small" onClick={() => setOpen('receive')}>
            {t('Take a payment')}
          </Button>
        )}
        {can('attempt') && (
          <Button variant="secondary" size="small" onClick={() => setOpen('attempt')}>
            {t('Failed visit')}
          </Button>
        )}
      </div>
      <WeighDialog open={open === 'weigh'} weighed={stop} laterDay={laterDay} {...dialog} />
      <PaymentDialog open={open === 'receive'} begunUpi={stop.reported_upi} {...dialog} />
      <AttemptDialog open={open === 'attempt'} stage={stage} laterDay={laterDay} {...dialog} />
      <HandOverDialog
        open={open === 'hand-over'}
        begunUpi={stop.reported_upi}
        triesLeft={Math.max(0, MAX_WRONG_CODES - stop.wrong_codes)}
        {...dialog}
      />
    </>
  );
}
