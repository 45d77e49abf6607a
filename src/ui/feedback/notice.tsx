import type { ReactNode } from 'react';
import { AlertIcon, CheckCircleIcon, InfoIcon } from '../icons/status.tsx';

const tones = {
  info: { className: 'bg-accent-soft text-accent-ink', icon: <InfoIcon /> },
  good: { className: 'bg-good-soft text-good', icon: <CheckCircleIcon /> },
  warn: { className: 'bg-warn-soft text-warn', icon: <AlertIcon /> },
  bad: { className: 'bg-bad-soft text-bad-ink', icon: <AlertIcon /> },
} as const;

export type NoticeProps = {
  tone: keyof typeof tones;
  title?: string | undefined;
  children: ReactNode;
  /** Set it for a notice that appears after the first render: screen readers announce it. */
  live?: boolean;
  action?: ReactNode;
};

/** A message that stays on the page. For a message that disappears, use a toast. */
export function Notice({ tone, title, children, live = false, action }: NoticeProps) {
  const { className, icon } = tones[tone];
  return (
    <div
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
      className={`flex gap-[min(0.75rem,3.2vw)] rounded-card p-page ${className}`}
    >
      {icon}
      <div className="min-w-0 flex-1 space-y-1 text-sm">
        {title && <p className="font-semibold">{title}</p>}
        <div className="text-ink">{children}</div>
        {action && <div className="pt-2">{action}</div>}
      </div>
    </div>
  );
}
