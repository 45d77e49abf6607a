import type { ReactNode } from 'react';

export type DefinitionRow = { label: string; value: ReactNode; emphasis?: boolean };

/**
 * Labels and values, such as the details of an order. The emphasised row is the total. With a large
 * text, a value is below its label.
 */
export function DefinitionTable({ rows }: { rows: readonly DefinitionRow[] }) {
  return (
    <dl className="@container divide-y divide-line">
      {rows.map(({ label, value, emphasis }) => (
        <div
          key={label}
          className={`flex items-baseline justify-between gap-x-6 gap-y-1 py-3 @max-[13rem]:flex-col ${emphasis ? 'text-lg font-bold' : 'text-sm'}`}
        >
          <dt className={`max-w-1/2 shrink-0 @max-[13rem]:max-w-full ${emphasis ? '' : 'text-ink-soft'}`}>{label}</dt>
          <dd className={`min-w-0 text-end tabular-nums @max-[13rem]:self-end ${emphasis ? '' : 'font-medium'}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
