import type { ReactNode } from 'react';

/** A component's name with all its states below. */
export function Exhibit({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="space-y-4 border-t border-line pt-6">
      <h2 className="text-lg font-bold">{name}</h2>
      {children}
    </section>
  );
}
