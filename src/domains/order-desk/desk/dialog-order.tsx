/** The order that a dialog is about. Its name is missing on the screen of the order. */
export const DialogOrder = ({ order: { orderid, name } }: { order: { orderid: string; name?: string } }) => (
  <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{name === undefined ? orderid : `${name} · ${orderid}`}</p>
);
