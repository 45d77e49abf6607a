/**
 * The figures of the laundry. Only the server and the console load this file. docs/decisions/0062.
 */
import * as z from 'zod/mini';
import { defineErrors } from '../../../contract/errors.ts';
import { kilograms, rupees } from '../../../contract/define-call.ts';
import { calendarDay, defineStaffCall } from '../../staff/desk/contract.ts';

/** Two years. */
export const MAX_REPORT_DAYS = 731;

export const figuresError = defineErrors({
  'too-many-days': 'Choose at most {days} days',
  'no-days': 'The last day is before the first one',
});

const received = z.object({ cash: rupees, upi: rupees, gateway: rupees, wallet: rupees });

const dayFigures = z.object({
  day: z.string(),
  /** Placed on this day. */
  orders: z.int(),
  /** The weight of the orders delivered on this day. */
  weight: kilograms,
  revenue: rupees,
  /** Excludes reversed payments, which are subtracted on the day of the reversal. */
  received,
  /** The sum of all wallets at the end of the day. */
  wallet_liability: rupees,
  /** Promotions and cashback. */
  bonuses: rupees,
  /** Credits of the kind compensation, for reports and granted by the staff, less reversals. */
  compensation: rupees,
  delivered: z.int(),
  /** Delivered by 21:00 on the day after the pickup day. */
  on_time: z.int(),
  /** 0 to 1; null without deliveries. */
  on_time_share: z.nullable(z.number()),
  cancellations: z.int(),
  claims: z.int(),
});
export type DayFigures = z.output<typeof dayFigures>;

export const getReport = defineStaffCall({
  path: 'staff/report',
  summary:
    'The figures of each day in Asia/Kolkata, from the first day to the last or today. A correction counts on its own day: a reversed payment, a delivery that was taken back.',
  errors: figuresError.pick('too-many-days', 'no-days'),
  body: z.object({ from: calendarDay, to: calendarDay }),
  data: z.object({ days: z.array(dayFigures) }),
});
