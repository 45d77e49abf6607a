import { classes } from '../../../ui/classes.ts';

export interface Series {
  label: string;
  /** Stacked on the values of the previous series. Null: no bar. */
  values: readonly (number | null)[];
  tone: keyof typeof TONES;
}

const TONES = {
  accent: { bar: 'fill-accent-ink', key: 'bg-accent-ink' },
  good: { bar: 'fill-good', key: 'bg-good' },
  star: { bar: 'fill-star', key: 'bg-star' },
  edge: { bar: 'fill-edge', key: 'bg-edge' },
} as const;

interface BarChartProps {
  title: string;
  /** The figure of all bars together. */
  total: string;
  /** The label of the chart for screen readers. The table has every figure. */
  description: string;
  /** Under the first and the last bar. */
  ends: readonly [string, string];
  series: readonly Series[];
  /** The value of a full bar; by default the largest bar. */
  max?: number;
  /** Formats a value of the axis. */
  format(value: number): string;
}

const HEIGHT = 100;
const GAP = 0.2;

/** Bars of one or more series, stacked. Negative figures hang below the line. */
export function BarChart({ title, total, description, ends, series, max, format }: BarChartProps) {
  const count = series[0]?.values.length ?? 0;
  const sums = (sign: 1 | -1) =>
    Array.from({ length: count }, (_, index) =>
      series.reduce((sum, { values }) => sum + sign * Math.max(0, sign * (values[index] ?? 0)), 0),
    );
  const top = max ?? Math.max(0, ...sums(1));
  const bottom = Math.min(0, ...sums(-1));
  const scale = HEIGHT / (top - bottom || 1);
  const zero = top * scale;
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{title}</span>
        <span className="text-lg font-bold tabular-nums">{total}</span>
      </figcaption>
      <div className="mt-3 grid grid-cols-[auto_1fr] gap-x-2">
        {/* The axis. The description and the table have its figures for screen readers. */}
        <p aria-hidden="true" className="flex flex-col justify-between text-end text-xs leading-none text-ink-soft tabular-nums">
          <span>{format(top)}</span>
          <span>{format(bottom)}</span>
        </p>
        <svg
          role="img"
          aria-label={description}
          viewBox={`0 0 ${Math.max(1, count)} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full border-y border-s border-t-line border-b-edge border-s-edge"
        >
          {Array.from({ length: count }, (_, index) => {
            let up = zero;
            let down = zero;
            return series.map(({ label, values, tone }) => {
              const height = (values[index] ?? 0) * scale;
              const y = height >= 0 ? (up -= height) : down;
              if (height < 0) down -= height;
              return (
                <rect
                  key={`${label} ${index}`}
                  x={index + GAP / 2}
                  width={1 - GAP}
                  y={y}
                  height={Math.abs(height)}
                  className={TONES[tone].bar}
                />
              );
            });
          })}
        </svg>
        <p aria-hidden="true" className="col-start-2 mt-1 flex justify-between gap-4 text-xs text-ink-soft">
          <span>{ends[0]}</span>
          {count > 1 && <span>{ends[1]}</span>}
        </p>
      </div>
      {series.length > 1 && (
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {series.map(({ label, tone }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={classes('size-3 rounded-xs', TONES[tone].key)} />
              {label}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
