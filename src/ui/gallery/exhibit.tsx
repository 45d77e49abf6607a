import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/messages.ts';

/**
 * Marks a text of the gallery as a message. No catalogue contains it, because the gallery is for
 * developers.
 */
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
