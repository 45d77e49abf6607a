import { useEffect, useEffectEvent } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { endTabSession, useMayBeGuest, useSession } from '../../../browser/session-user.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useRefetchWhileVisible } from '../../orders/pages/following/use-refetch-while-visible.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { getAddresses } from '../../addresses/contract.ts';
import { hasUnfinishedGuestForm } from '../../addresses/pages/guest-address.tsx';
import type { Service } from '../../catalogue/rules.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getOrders, stageDisplay, type Order } from '../../orders/contract.ts';
import { isPayableStage, isUnderWay } from '../../orders/rules.ts';
import { cartActions, type Draft } from '../../orders/pages/draft/cart-state.ts';
import { changeDraft } from '../../orders/pages/draft/draft.ts';
import { preselect, type CustomerHistory } from '../../orders/pages/draft/preselection.ts';
import { useRefreshOffer } from '../../orders/pages/draft/refresh-draft.ts';
import { OrderUnderWay } from './order-under-way.tsx';
import { RepeatOrder, RepeatRow, type RepeatedOrder } from './repeat-order.tsx';

export interface RecentOrdersProps {
  services: readonly Service[] | null;
  /** Opens the cart with the result of the change. */
  onOpenCart(change: (draft: Draft) => Draft): void;
}

/**
 * The part of home for a customer or guest of this browser: the orders under way, and the last
 * order to repeat. It also preselects area and address, and loads the active offer into the draft.
 * Renders nothing without orders, a skeleton while it loads, and a retry after a failure.
 */
export function RecentOrders(props: RecentOrdersProps) {
  const session = useSession();
  const mayBeGuest = useMayBeGuest();
  if (session === 'unknown') return <RecentOrdersSkeleton />;
  if (session !== 'signed-out') return <LoadedRecentOrders key={session.userid} userid={session.userid} {...props} />;
  return mayBeGuest && <LoadedRecentOrders key="guest" userid={null} {...props} />;
}

function onError(error: unknown) {
  if (error instanceof CallRefused && error.code === 'login-required') endTabSession();
  else if (!(error instanceof CallRefused || error instanceof ConnectionLost)) reportProblem(error, { doing: 'loading recent orders' });
}

/**
 * Returns 2 if the customer has to choose another evening, 1 if a payment is due and no UPI payment
 * is reported, otherwise 0.
 */
const urgencyOf = ({ attempt, washing_stage: stage, total_amount: total, amount_paid: paid, has_reported_upi: isReported }: Order) =>
  attempt ? 2 : Number(isPayableStage(stage) && !isReported && paid < (total ?? 0));

const progressOf = ({ washing_stage: stage }: Order) => stageDisplay(stage).progress;

function LoadedRecentOrders({ userid, services, onOpenCart }: RecentOrdersProps & { userid: string | null }) {
  const { t } = useLanguage();
  const query = useQuery({
    queryKey: [userid ?? undefined],
    async queryFn({ signal }): Promise<CustomerHistory> {
      const [orders, addresses] = await Promise.all([
        fetchSend(getOrders, { userid: userid ?? undefined, with_open: true }, { signal }),
        userid === null ? null : fetchSend(getAddresses, { userid }, { signal }),
      ]);
      return { orders: orders.data ?? [], addresses: addresses?.data ?? [] };
    },
    onError,
  });
  useRefreshOffer('home');

  const history = query.status === 'success' ? query.data : undefined;
  const preselectFromHistory = useEffectEvent(() => {
    if (!history || (userid === null && hasUnfinishedGuestForm())) return;
    changeDraft((draft) => preselect(draft, history, userid));
  });
  // Once: a refetch must not undo a choice of the customer.
  const isLoaded = history !== undefined;
  useEffect(() => {
    if (isLoaded) preselectFromHistory();
  }, [isLoaded]);
  useRefetchWhileVisible(query.refetch, history?.orders.some(isUnderWay) ?? false);

  if (query.status === 'loading') return <RecentOrdersSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your orders')} onRetry={query.retry} />;
  const { orders } = query.data;
  const [last] = orders;
  if (!last) return null;
  // Orders that wait for the customer, then the nearest to the door; of one stage, the newest.
  const underWay = orders.filter(isUnderWay).toSorted((a, b) => urgencyOf(b) - urgencyOf(a) || progressOf(b) - progressOf(a));
  const cards = underWay.map((order) => <OrderUnderWay key={order.orderid} order={order} userid={userid ?? undefined} />);
  const repeat = (change: (draft: Draft) => Draft) => onOpenCart((draft) => preselect(change(draft), query.data, userid));
  const again = services &&
    services.length > 0 && {
      history: query.data,
      order: last,
      isGuest: userid === null,
      services,
      onRepeat: (order: RepeatedOrder) => repeat((draft) => cartActions.repeat(draft, order)),
    };
  // On a phone, beside another card it would be outside the screen.
  const isRowOnPhones = cards.length > 0;
  return (
    <section aria-label={t('Your orders')} className="flex flex-col gap-3">
      {/* One row, as the skeleton. A part of the fourth card shows that it scrolls. */}
      <ul className="carousel lg:grid lg:auto-cols-[calc((100%-2.5rem)/3)] lg:grid-flow-col lg:has-[>:nth-child(4)]:auto-cols-[30%] lg:has-[>:nth-child(4)]:[scrollbar-width:thin]">
        {cards.slice(0, 1)}
        {again && <RepeatOrder {...again} isRowOnPhones={isRowOnPhones} />}
        {cards.slice(1)}
      </ul>
      {again && isRowOnPhones && <RepeatRow {...again} />}
    </section>
  );
}

function RecentOrdersSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your orders')}>
      <Skeleton shape="recent" />
    </SkeletonGroup>
  );
}
