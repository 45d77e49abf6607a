/** The lists of Today and the board. */
import type * as z from 'zod/mini';
import { setOpenClaims } from '../../../claims/desk/open-claims.ts';
import { staffRead } from '../../../staff/desk/session.ts';
import { getBoard } from '../board-contract.ts';
import { listOrders, type ListedOrder } from '../contract.ts';

export type OrderFilter = z.output<typeof listOrders.body>;
export type OrderList = z.output<typeof listOrders.data>;

export function fetchOrders(filter: OrderFilter, signal?: AbortSignal): Promise<OrderList> {
  return staffRead(listOrders, filter, signal && { signal });
}

export type BoardColumns = z.output<typeof getBoard.data>['columns'];

export interface LoadedBoard {
  board: BoardColumns;
  /** The orders of every stage whose bags differ. Empty for a rider. */
  bagsDiffer: readonly ListedOrder[];
  /** The UPI payments that wait for the owner. 0 for another role. */
  reportedUpi: number;
  /** The hand-ins with a difference that the owner explains. 0 for another role. */
  cashDifferences: number;
}

/** Reads the board, and shows the number of open claims that comes with it in the navigation. */
export async function fetchBoard(filter: z.output<typeof getBoard.body>, signal?: AbortSignal): Promise<LoadedBoard> {
  const {
    columns,
    bags_differ: bagsDiffer,
    open_claims: openClaims,
    reported_upi: reportedUpi,
    cash_differences: cashDifferences,
  } = await staffRead(getBoard, filter, signal && { signal });
  if (openClaims !== null) setOpenClaims(openClaims);
  return { board: columns, bagsDiffer, reportedUpi: reportedUpi ?? 0, cashDifferences: cashDifferences ?? 0 };
}
