import type { ReactNode } from 'react';

/**
 * Replaces an empty list: describes what it will contain and shows the action that adds the first
 * entry.
 */
export function EmptyState({ art, title, text, action }: { art: ReactNode; title: string; text?: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 py-10 text-center sm:px-4">
      <div className="mb-4 max-w-full">{art}</div>
      <p className="text-lg font-semibold text-balance">{title}</p>
      {text && <p className="max-w-sm text-ink-soft">{text}</p>}
      {action && <div className="mt-4 max-w-full wrap-anywhere">{action}</div>}
    </div>
  );
}
