import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import type { DeskOrder } from '../contract.ts';
import { settlingRow, useSettlingRows } from '../use-settling-rows.ts';
import { shortCode } from '../short-code.ts';
import type { SendChange } from '../use-change.ts';
import { UndoButton } from './undo-notice.tsx';

/** The last moves of a person, the newest one first: one of each order, while it can be undone. */
export interface LastMoves {
  orders: readonly DeskOrder[];
  /** Called with the order after each change, which ends what was offered for it before. */
  add(order: DeskOrder): void;
  expire(order: DeskOrder): void;
}

export function useLastMoves(): LastMoves {
  const [orders, setOrders] = useState<readonly DeskOrder[]>([]);
  return {
    orders,
    add: (order) =>
      setOrders((current) => [
        ...(order.undo_seconds === null ? [] : [order]),
        ...current.filter(({ orderid }) => orderid !== order.orderid),
      ]),
    expire: ({ orderid, version }) =>
      setOrders((current) => current.filter((order) => order.orderid !== orderid || order.version !== version)),
  };
}

interface UndoListProps {
  moves: LastMoves;
  /** The number of the order that is being changed. */
  busy: string | undefined;
  changeOf(orderid: string): SendChange;
}

/** Offers to undo the last move of each order. */
export function UndoList({ moves: { orders, expire }, busy, changeOf }: UndoListProps) {
  const { t } = useLanguage();
  const list = useRef<HTMLDivElement>(null);
  const settling = useSettlingRows(list, orders.map(rowOf));
  if (orders.length === 0) return null;
  const sendsSms = orders.some((order) => order.undo_message !== null);
  const single = sendsSms
    ? t('You can undo this for a minute. The customer’s page shows it at once, and the SMS is sent afterwards.')
    : t('You can undo this for a minute. The customer’s page shows it at once.');
  const several = sendsSms
    ? t('You can undo each for a minute. The customers’ pages show it at once, and the SMS are sent afterwards.')
    : t('You can undo each for a minute. The customers’ pages show it at once.');
  return (
    <Notice tone="info" live>
      <div ref={list} className="max-h-40 space-y-2 overflow-y-auto">
        {orders.map((order) => (
          <LastMove
            key={rowOf(order)}
            order={order}
            pending={busy === order.orderid}
            isSettling={settling.has(rowOf(order))}
            change={changeOf(order.orderid)}
            onExpired={() => expire(order)}
          />
        ))}
      </div>
      <p className="mt-1">{orders.length === 1 ? single : several}</p>
    </Notice>
  );
}

const rowOf = ({ orderid, version }: DeskOrder) => `${orderid} ${version}`;

interface LastMoveProps {
  order: DeskOrder;
  pending: boolean;
  isSettling: boolean;
  change: SendChange;
  onExpired(): void;
}

function LastMove({ order, pending, isSettling, change, onExpired }: LastMoveProps) {
  const { translateData } = useLanguage();
  const { orderid, name, washing_stage: stage, undo_seconds: seconds } = order;
  const expire = useEffectEvent(onExpired);
  useEffect(() => {
    const timer = setTimeout(() => expire(), (seconds ?? 0) * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return (
    <div data-order={orderid} className="flex items-center justify-between gap-3">
      <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">
        {shortCode(orderid)} · {name} · {translateData(stageDisplay(stage).label)}
      </p>
      <div {...settlingRow(rowOf(order), isSettling)} className="shrink-0">
        <UndoButton order={order} pending={pending} change={change} namesOrder />
      </div>
    </div>
  );
}
