export type ShareBarProps = { label: string; percent: number; tone: 'accent' | 'star' };

/** One line of a distribution: label, bar, percentage. */
export function ShareBar({ label, percent, tone }: ShareBarProps) {
  return (
    <div className="grid grid-cols-[7.5rem_1fr_3rem] items-center gap-3 text-sm">
      <span>{label}</span>
      <progress className={tone === 'star' ? 'bar bar-star' : 'bar'} max={100} value={percent} aria-label={label} />
      <span className="text-end text-ink-soft tabular-nums">{percent}%</span>
    </div>
  );
}
