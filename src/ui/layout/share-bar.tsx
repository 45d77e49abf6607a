export type ShareBarProps = { label: string; percent: number; tone: 'accent' | 'star' };

/** One row of a distribution: label, bar and percentage. */
export function ShareBar({ label, percent, tone }: ShareBarProps) {
  return (
    <div className="grid grid-cols-[minmax(min-content,7.5rem)_minmax(0,1fr)_auto] items-center gap-[min(0.75rem,3vw)] text-sm">
      <span>{label}</span>
      <progress className={tone === 'star' ? 'bar bar-star' : 'bar'} max={100} value={percent} aria-label={label} />
      <span className="min-w-10 text-end text-ink-soft tabular-nums">{percent}%</span>
    </div>
  );
}
