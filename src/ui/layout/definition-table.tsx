import type { ReactNode } from 'react';

export type DefinitionRow = { label: string; value: ReactNode; emphasis?: boolean };

/** Labels and values, such as the details of an order. The emphasised row is the total. */
export function DefinitionTable({ rows }: { rows: readonly DefinitionRow[] }) {
  return (
    <dl className="divide-y divide-line">
      {rows.map(({ label, value, emphasis }) => (
        <div key={label} className={`flex items-baseline justify-between gap-6 py-3 ${emphasis ? 'text-lg font-bold' : 'text-sm'}`}>
          <dt className={`max-w-1/2 shrink-0 ${emphasis ? '' : 'text-ink-soft'}`}>{label}</dt>
          <dd className={`min-w-0 text-end tabular-nums ${emphasis ? '' : 'font-medium'}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
