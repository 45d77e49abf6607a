import { useEffect, useRef, useState } from 'react';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { staffSend } from '../../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../../staff/desk/show-problem.ts';
import { STAFF_MAIN_ID } from '../../../staff/desk/staff-page.tsx';
import { getDeskOrder, type DeskOrder } from '../contract.ts';
import { OrderActionDialogs, type OrderAction } from '../dialogs/order-action-dialogs.tsx';
import { UndoList, useLastMoves, type LastMoves } from '../dialogs/undo-list.tsx';
import { useKeptOrder } from './use-kept-order.ts';
import { useChange, type SendChange } from '../use-change.ts';

/** The actions of the orders of a list: one dialog at a time, and the last change. */
export interface ListActions {
  /** The number of the order that is being changed or opened. */
  busy: string | undefined;
  /** The order of the dialog, as the server has it now. */
  opened: DeskOrder | undefined;
  action: OrderAction | undefined;
  /** The order after the last change. */
  changed: DeskOrder | undefined;
  moves: LastMoves;
  pending: boolean;
  changeOf(orderid: string): SendChange;
  /** Loads the order, so that its dialog begins with what the server has. */
  open(orderid: string, action: OrderAction): Promise<void>;
  setAction(action: OrderAction | undefined): void;
  /** Loads the order of the dialog again, if it is one of these. Null: any can have changed. */
  refresh(changedIds: ReadonlySet<string> | null): Promise<void>;
}

const staffMain = () => document.getElementById(STAFF_MAIN_ID);

/** Shows the error and returns undefined if the person may not see the order. */
async function fetchOrder(orderid: string): Promise<DeskOrder | undefined> {
  const result = await staffSend(getDeskOrder, { orderid });
  if (result.response === 'success') return result.data;
  showRefusal(result);
  return undefined;
}

/** `onChanged` loads the list again. */
export function useListActions(onChanged: () => void): ListActions {
  const [changing, setChanging] = useState<string>();
  const [opened, setOpened] = useState<DeskOrder>();
  const [action, setAction] = useState<OrderAction>();
  const [changed, setChanged] = useState<DeskOrder>();
  const moves = useLastMoves();
  useKeptOrder(staffMain);
  const newest = (order: DeskOrder) =>
    setOpened((current) => (current && current.orderid === order.orderid && order.version >= current.version ? order : current));
  const refresh = async (changedIds: ReadonlySet<string> | null) => {
    if (!opened || action === undefined || changedIds?.has(opened.orderid) === false) return;
    const order = await fetchOrder(opened.orderid).catch(() => undefined);
    if (order) newest(order);
  };
  const { pending, change } = useChange({
    onOrder(order) {
      newest(order);
      setChanged(order);
      moves.add(order);
      onChanged();
    },
    onConflict() {
      void refresh(null);
      onChanged();
    },
  });
  const loading = useMutation<{ orderid: string; next: OrderAction }>({
    async mutationFn({ orderid, next }) {
      const order = await fetchOrder(orderid);
      if (!order) return onChanged();
      setOpened(order);
      setAction(next);
    },
    onError: (error) => showProblem(error, 'loading an order'),
  });
  return {
    busy: pending || loading.pending ? changing : undefined,
    opened,
    action,
    changed,
    moves,
    pending,
    changeOf: (orderid) => (request) => {
      setChanging(orderid);
      return change(request);
    },
    async open(orderid, next) {
      setChanging(orderid);
      await loading.mutate({ orderid, next });
    },
    setAction,
    refresh,
  };
}

/** The dialog of an action, and the notice with which its person can undo the last moves. */
export function ListActionDialogs({
  actions: { opened, action, busy, changed, moves, pending, changeOf, setAction },
}: {
  actions: ListActions;
}) {
  const notice = useRef<HTMLDivElement>(null);
  const focusedFor = useRef<DeskOrder>(undefined);
  const isOpen = action !== undefined;
  useEffect(() => {
    if (!changed || isOpen || focusedFor.current === changed) return;
    focusedFor.current = changed;
    if (changed.undo_seconds !== null) notice.current?.focus({ preventScroll: true });
  }, [changed, isOpen]);
  return (
    <>
      {opened && <OrderActionDialogs order={opened} pending={pending} change={changeOf(opened.orderid)} open={action} onOpen={setAction} />}
      <div
        ref={notice}
        data-order={moves.orders[0]?.orderid}
        tabIndex={-1}
        className="empty:hidden sticky bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-10 rounded-card shadow-float md:bottom-4"
      >
        <UndoList moves={moves} busy={busy} changeOf={changeOf} />
      </div>
    </>
  );
}
