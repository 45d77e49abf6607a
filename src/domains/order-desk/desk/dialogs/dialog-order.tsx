import type { ReactNode } from 'react';

interface DialogOrderProps {
  order: { orderid: string; name?: string };
  /** The change of the order since the dialog was opened. */
  notice?: ReactNode;
}

/** The order that a dialog is about. Its name is missing on the screen of the order. */
export const DialogOrder = ({ order: { orderid, name }, notice }: DialogOrderProps) => (
  <>
    <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{name === undefined ? orderid : `${name} · ${orderid}`}</p>
    {notice}
  </>
);
