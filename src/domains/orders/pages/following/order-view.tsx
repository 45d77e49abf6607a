import { Outlet } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../../ui/art/moments.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { StageTracker } from '../../../../ui/layout/stage-tracker.tsx';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, PROGRESS_STAGES, stageDisplay, type Order } from '../../contract.ts';
import { hoursSaved, isCancelledStage } from '../../rules.ts';
import { OrderChanges } from './order-changes.tsx';
import { OrderCost } from './order-cost.tsx';

/** The outlet context for parts of other domains on the page of an order. */
export interface OrderContext {
  order: Order;
  /** Undefined for a guest. */
  userid: string | undefined;
}

interface OrderViewProps extends OrderContext {
  /** Loads the order again. */
  onChanged(): Promise<unknown>;
}

export function OrderView({ order, userid, onChanged }: OrderViewProps) {
  const { t } = useLanguage();
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr] lg:gap-6">
      <div className="space-y-4 lg:col-span-2 lg:space-y-6">
        <Progress stage={order.washing_stage} />
        <OrderChanges {...{ order, userid, onChanged }} />
      </div>
      <OrderDetails order={order} />
      <div className="space-y-4 lg:space-y-6">
        {!isUnweighedForever(order) && <OrderCost order={order} />}
        <Outlet context={{ order, userid } satisfies OrderContext} />
        <Card as="section">
          <h2 className="font-semibold">{t('Delivery Address')}</h2>
          <address className="mt-2 text-sm text-ink-soft not-italic">
            <span className="block font-medium text-ink">{order.name}</span>
            <AddressLines address={order} />
          </address>
        </Card>
      </div>
      {order.total_weight !== null && !isCancelledStage(order.washing_stage) && (
        <div className="lg:col-span-2">
          <HoursSaved weightGrams={order.total_weight} />
        </div>
      )}
    </div>
  );
}

/** True for an order that was cancelled before it had a weight. */
const isUnweighedForever = (order: Order) => isCancelledStage(order.washing_stage) && order.total_weight === null;

function Progress({ stage }: { stage: string }) {
  const { t, translateData } = useLanguage();
  const { label, progress, expected } = stageDisplay(stage);
  const status = <Fact label={t('Order Status')} value={translateData(label)} />;
  if (isCancelledStage(stage)) {
    return (
      <Card as="section">
        <dl>{status}</dl>
      </Card>
    );
  }
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Order progress')}</h2>
      <dl className="mb-6 grid gap-4 min-[22rem]:grid-cols-2">
        {status}
        <Fact label={t('Estimated Time')} value={translateData(expected)} />
      </dl>
      <StageTracker
        label={t('Order progress')}
        steps={PROGRESS_STAGES.map((row) => t(row.label))}
        currentIndex={PROGRESS_STAGES.findIndex((row) => row.stage === stage)}
        percent={progress}
      />
    </Card>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-sm text-ink-soft">{label}</dt>
    <dd className="font-semibold sm:text-lg">{value}</dd>
  </div>
);

function OrderDetails({ order }: { order: Order }) {
  const { t, translateData, day } = useLanguage();
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order details')}</h2>
      <DefinitionTable
        rows={[
          { label: t('Order No'), value: order.orderid },
          { label: t('Order Date'), value: day(order.order_date) },
          { label: t('Wash Program'), value: translateData(order.program_name) },
          { label: t('Area'), value: translateData(areaNames[order.area]) },
          { label: t('Pickup'), value: `${day(order.pickup_date)}, ${translateData(order.timeslot)}` },
          ...(isUnweighedForever(order)
            ? []
            : [
                { label: t('Items'), value: items ?? t(orderMessages.atPickup) },
                { label: t('Weight (kg)'), value: weight === null ? t(orderMessages.atPickup) : formatKilograms(weight) },
              ]),
        ]}
      />
    </Card>
  );
}

function HoursSaved({ weightGrams }: { weightGrams: number }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const hours = hoursSaved(weightGrams);
  return (
    <Card as="section">
      <div className="flex flex-col items-center justify-center gap-x-8 gap-y-4 text-center sm:flex-row sm:text-start">
        <FoldedStackArt />
        <div>
          <p className="text-lg font-semibold">{t('Thank you for choosing {brand}!', { brand: brand.name })}</p>
          <p className="text-ink-soft">{t('You saved about {from} to {to} hours.', { from: hours, to: hours + 1 })}</p>
        </div>
      </div>
    </Card>
  );
}
