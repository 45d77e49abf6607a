import { useLanguage } from '../../../i18n/language.tsx';
import { COLUMNS, formatFigure } from './columns.ts';
import type { DayFigures } from './contract.ts';
import { totalOf } from './rules.ts';

interface FiguresTableProps {
  /** Oldest first, as in the charts. */
  rows: readonly DayFigures[];
  nameOf(day: string): string;
}

/** Every figure. On narrow screens the table scrolls below its first column. */
export function FiguresTable({ rows, nameOf }: FiguresTableProps) {
  const language = useLanguage();
  const { t } = language;
  const total = totalOf(rows);
  return (
    // A region that scrolls must be reachable by keyboard.
    <div role="region" aria-label={t('All figures')} tabIndex={0} className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full text-[0.8125rem] tabular-nums [overflow-wrap:normal]">
        <caption className="sr-only">{t('All figures')}</caption>
        <thead className="text-ink-soft">
          <tr>
            <th scope="col" className="sticky start-0 bg-surface px-3 py-3 text-start font-medium">
              {t('From day')}
            </th>
            {COLUMNS.map(({ label }) => (
              <th key={label} scope="col" className="px-1.5 py-3 text-end align-bottom font-medium last:pe-3">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.day} className="border-t border-line">
              <th scope="row" className="sticky start-0 bg-surface px-3 py-2 text-start font-normal whitespace-nowrap">
                {nameOf(row.day)}
              </th>
              <Cells row={row} />
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot className="font-semibold">
            <tr className="border-t-2 border-edge">
              <th scope="row" className="sticky start-0 bg-surface px-3 py-3 text-start">
                {t('Together')}
              </th>
              <Cells row={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function Cells({ row }: { row: DayFigures }) {
  const language = useLanguage();
  return COLUMNS.map(({ label, unit, value }) => (
    <td key={label} className="px-1.5 py-2 text-end whitespace-nowrap last:pe-3">
      {formatFigure(language, unit, value(row))}
    </td>
  ));
}
