/** The figures of the table, the charts and the CSV file. */
import type { Language } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { csvText } from '../../../lib/csv.ts';
import type { DayFigures } from './contract.ts';

type Unit = 'count' | 'grams' | 'paise' | 'share';

export interface Column {
  readonly label: MessageKey;
  readonly unit: Unit;
  /** Null: there is no figure. */
  value(figures: DayFigures): number | null;
}

export const orders: Column = { label: msg('Orders placed'), unit: 'count', value: (row) => row.orders };
export const weight: Column = { label: msg('Kilograms delivered'), unit: 'grams', value: (row) => row.weight };
export const revenue: Column = { label: msg('Revenue'), unit: 'paise', value: (row) => row.revenue };
export const onTime: Column = { label: msg('Delivered on time'), unit: 'share', value: (row) => row.on_time_share };
export const liability: Column = { label: msg('In wallets'), unit: 'paise', value: (row) => row.wallet_liability };

export const METHODS = {
  cash: { label: msg('Cash'), unit: 'paise', value: (row) => row.received.cash },
  upi: { label: msg('UPI'), unit: 'paise', value: (row) => row.received.upi },
  gateway: { label: msg('Online'), unit: 'paise', value: (row) => row.received.gateway },
  wallet: { label: msg('From wallets'), unit: 'paise', value: (row) => row.received.wallet },
} as const satisfies Record<keyof DayFigures['received'], Column>;

export const COLUMNS: readonly Column[] = [
  orders,
  { label: msg('Delivered'), unit: 'count', value: (row) => row.delivered },
  onTime,
  weight,
  revenue,
  ...Object.values(METHODS),
  liability,
  { label: msg('Bonuses'), unit: 'paise', value: (row) => row.bonuses },
  { label: msg('Compensation'), unit: 'paise', value: (row) => row.compensation },
  { label: msg('Cancelled'), unit: 'count', value: (row) => row.cancellations },
  { label: msg('Problems'), unit: 'count', value: (row) => row.claims },
];

const numbers = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 });

/** Formats a figure for people. Null, an unknown one, is a dash. */
export function formatFigure({ rupees }: Pick<Language, 'rupees'>, unit: Unit, value: number | null): string {
  if (value === null) return '–';
  switch (unit) {
    case 'count':
      return numbers.format(value);
    case 'grams':
      return numbers.format(value / 1000);
    case 'paise':
      return value < 0 ? `−${rupees(-value)}` : rupees(value);
    case 'share':
      return `${Math.round(value * 100)}%`;
  }
}

/** Kilograms, rupees and percent, for a spreadsheet. */
function plainFigure(unit: Unit, value: number | null): number | null {
  if (value === null || unit === 'count') return value;
  if (unit === 'share') return Math.round(value * 1000) / 10;
  return unit === 'grams' ? value / 1000 : value / 100;
}

const CSV_UNITS: Record<Unit, string> = { count: '', grams: ' (kg)', paise: ' (₹)', share: ' (%)' };

/** Spreadsheets recognise UTF-8 by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Returns the rows as CSV with a header, the newest first as in the table. Its figures are numbers
 * without units and separators.
 */
export function figuresCsv({ t }: Pick<Language, 't'>, rows: readonly DayFigures[]): string {
  const header = [t('From day'), ...COLUMNS.map(({ label, unit }) => t(label) + CSV_UNITS[unit])];
  const lines = rows.map((row) => [row.day, ...COLUMNS.map(({ unit, value }) => plainFigure(unit, value(row)))]);
  return BYTE_ORDER_MARK + csvText([header, ...lines.toReversed()]);
}
