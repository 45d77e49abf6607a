import { useEffect, useRef } from 'react';
import { AlertIcon } from '../icons/status.tsx';

/** One error line below its field. A live region announces it when the text changes. */
export function FormError({ text, id }: { text: string | null | undefined; id?: string }) {
  return (
    <div role="alert" id={id}>
      {text && (
        <p className="mt-1.5 flex gap-1.5 text-sm font-medium text-bad-ink">
          <AlertIcon small />
          {text}
        </p>
      )}
    </div>
  );
}

/** The error of a whole form. It receives the focus when it appears. */
export function FormErrorSummary({ title, problems }: { title: string; problems: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const count = problems.length;
  useEffect(() => {
    if (count > 0) box.current?.focus();
  }, [count]);
  if (count === 0) return null;
  return (
    <section ref={box} tabIndex={-1} aria-label={title} className="rounded-card border border-bad-ink bg-bad-soft p-4 text-sm text-bad-ink">
      <p className="flex gap-2 font-semibold">
        <AlertIcon small />
        {title}
      </p>
      <ul className="mt-2 list-disc space-y-1 ps-7">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </section>
  );
}
