import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/messages.ts';

/** The gallery is for developers: its texts are in no catalogue. */
export const untranslated = (text: string) => text as MessageKey;

/** A component's name with all its states below. */
export function Exhibit({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="space-y-4 border-t border-line pt-6">
      <h2 className="text-lg font-bold">{name}</h2>
      {children}
    </section>
  );
}
