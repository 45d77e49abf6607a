import { Outlet } from 'react-router';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../../ui/art/moments.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable, type DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, stageDisplay, type Order, type Stage } from '../../contract.ts';
import { hoursSaved, isCancelledStage } from '../../rules.ts';
import { isVisitLater } from '../../visit-rules.ts';
import { DeliveredActions } from './delivered-actions.tsx';
import { isPickedUp, pickupText } from './order-card.tsx';
import { FailedVisit } from './failed-visit.tsx';
import { LateNotice } from './late-notice.tsx';
import { useChangeDialogs, type OrderChangesProps } from './change-dialogs.ts';
import { OrderChanges } from './order-changes.tsx';
import { OrderCost } from './order-cost.tsx';
import { OrderHistory } from './order-history.tsx';
import { isMovedBack, OrderProgress } from './order-progress.tsx';
import { OurChanges } from './our-changes.tsx';

/** The outlet context for parts of other domains on the page of an order. */
export interface OrderContext {
  order: Order;
  /** Undefined for a guest. */
  userid: string | undefined;
}

export function OrderView(props: OrderChangesProps) {
  const { order, userid } = props;
  const dialogs = useChangeDialogs(order);
  const reschedule = () => dialogs.show('reschedule');
  const { translateData } = useLanguage();
  const isCancelled = isCancelledStage(order.washing_stage);
  // The key keeps its dialogs and its focus when a cancellation moves it.
  const changes = <OrderChanges key="changes" {...props} dialogs={dialogs} />;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:gap-6">
      <div className="space-y-4 lg:col-span-2 lg:space-y-6">
        <p className="text-ink-soft">
          {translateData(order.program_name)}
          <span aria-hidden="true"> · </span>
          <span className="tabular-nums">{order.orderid}</span>
        </p>
        {isCancelled && changes}
        <FailedVisit order={order} onChoose={reschedule} />
        {/* The customer needs it at the door: on a phone it is visible without scrolling. */}
        {order.hand_over_code !== null && !isVisitLater(order, serverClock.now()) && <HandOverCode code={order.hand_over_code} />}
        <OurChanges order={order} onReschedule={reschedule} />
        <LateNotice order={order} />
        <OrderProgress order={order} />
        {!isCancelled && changes}
      </div>
      {/* Before the details and the address: on a phone they are below it. */}
      <div className="space-y-4 lg:space-y-6">
        {order.washing_stage === ('delivered' satisfies Stage) && <DeliveredActions order={order} userid={userid} />}
        {!isCancelled && <OrderCost order={order} />}
        <Outlet context={{ order, userid } satisfies OrderContext} />
      </div>
      <div className="space-y-4 lg:space-y-6">
        <OrderDetails order={order} />
        <DeliveryAddress order={order} />
        <OrderHistory order={order} />
      </div>
      {order.total_weight !== null && !isCancelled && (
        <div className="lg:col-span-2">
          <HoursSaved weightGrams={order.total_weight} isDelivered={order.washing_stage === ('delivered' satisfies Stage)} />
        </div>
      )}
    </div>
  );
}

/** True for an order that was cancelled before it had a weight. */
const wasCancelledUnweighed = (order: Order) => isCancelledStage(order.washing_stage) && order.total_weight === null;

function HandOverCode({ code }: { code: string }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Hand-over code')}</h2>
      <p className="mt-1 text-3xl font-semibold tracking-widest tabular-nums">{code}</p>
      <p className="mt-1 text-sm text-ink-soft">{t('Our rider asks for it. Give it only when you hold your clothes.')}</p>
    </Card>
  );
}

function OrderDetails({ order }: { order: Order }) {
  const language = useLanguage();
  const { t, translateData, day } = language;
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order details')}</h2>
      <DefinitionTable
        rows={[
          { label: t('Order No'), value: order.orderid },
          { label: t('Order Date'), value: day(order.order_date) },
          { label: t('Wash Program'), value: translateData(order.program_name) },
          ...stageRows(language, order),
          { label: t('Area'), value: translateData(areaNames[order.area]) },
          { label: t('Pickup'), value: pickupText(language, order) },
          ...(wasCancelledUnweighed(order)
            ? []
            : [
                ...(order.bags === null ? [] : [{ label: t('Bags'), value: order.bags }]),
                { label: t('Items'), value: items ?? t(orderMessages.atPickup) },
                { label: t('Weight (kg)'), value: weight === null ? t(orderMessages.atPickup) : formatKilograms(weight) },
              ]),
        ]}
      />
      <EstimateNote order={order} />
    </Card>
  );
}

/**
 * Returns the specified estimate of the stage, and between the weighing and the queue its status
 * below the time of the collection: separate from the state of the order and its time under 'Back
 * by'. docs/decisions/0095 and 0120.
 */
function stageRows(language: Language, order: Order): DefinitionRow[] {
  const { t, translateData } = language;
  const { collected_date: collectedDate, washing_stage: stage } = order;
  const { label, expected } = stageDisplay(stage);
  return [
    ...(isPickedUp(order) && collectedDate !== null ? [{ label: t('Collected'), value: formatDayTime(language, collectedDate) }] : []),
    ...(isPickedUp(order) ? [{ label: t('Order Status'), value: translateData(label) }] : []),
    ...(hasEstimate(order) ? [{ label: t('Estimated Time'), value: translateData(expected) }] : []),
  ];
}

/**
 * Returns false for a cancelled order, for one that was moved back to its stage, after a failed
 * visit, and if another delivery has an evening: the estimate of the stage does not apply to them.
 */
const hasEstimate = (order: Order) => {
  const { washing_stage: stage, attempt, delivery_date: deliveryDay } = order;
  return !isCancelledStage(stage) && !isMovedBack(order) && attempt === null && deliveryDay === null;
};

function EstimateNote({ order }: { order: Order }) {
  const { t } = useLanguage();
  const { washing_stage: stage } = order;
  const style = 'mt-2 text-sm text-ink-soft';
  if (isPickedUp(order))
    return (
      <p className={style}>
        {isMovedBack(order)
          ? t('Order Status and Estimated Time change once we go on with your order.')
          : t('Our rider has your clothes. Order Status and Estimated Time change once they are in our laundry.')}
      </p>
    );
  if (!hasEstimate(order) || stage === ('delivered' satisfies Stage)) return null;
  return (
    <p className={style}>
      {stage === ('pickup' satisfies Stage)
        ? t('The estimate follows once your clothes are in our laundry.')
        : t('Estimated Time is the usual length of this stage, not when we come. Our promise is the time under Back by.')}
    </p>
  );
}

function DeliveryAddress({ order }: { order: Order }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Delivery Address')}</h2>
      <address className="mt-2 text-sm text-ink-soft not-italic">
        <span className="block font-medium text-ink">{order.name}</span>
        <AddressLines address={order} />
      </address>
    </Card>
  );
}

function HoursSaved({ weightGrams, isDelivered }: { weightGrams: number; isDelivered: boolean }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const hours = hoursSaved(weightGrams);
  return (
    <Card as="section">
      <div className="flex flex-col items-center justify-center gap-x-8 gap-y-4 text-center sm:flex-row sm:text-start">
        <FoldedStackArt />
        <div>
          <p className="text-lg font-semibold">{t('Thank you for choosing {brand}!', { brand: brand.name })}</p>
          <p className="text-ink-soft">
            {isDelivered
              ? t('You saved about {from} to {to} hours.', { from: hours, to: hours + 1 })
              : t('You save about {from} to {to} hours.', { from: hours, to: hours + 1 })}
          </p>
        </div>
      </div>
    </Card>
  );
}
