import { SpinnerRing } from '../actions/spinner-ring.tsx';

/** For content whose layout is unknown. If the layout is known, use a skeleton. */
export function Spinner({ label }: { label: string }) {
  return (
    <output className="flex flex-col items-center justify-center gap-3 px-4 py-10 text-center text-accent-ink">
      <SpinnerRing large />
      <span className="text-sm text-ink-soft">{label}</span>
    </output>
  );
}
