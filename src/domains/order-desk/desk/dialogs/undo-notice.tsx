import { useEffect, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { moveBack, type DeskOrder } from '../contract.ts';
import type { SendChange } from '../use-change.ts';

interface UndoProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
}

/** For the screen of the order: offers to undo its last move, until the time to undo is over. */
export function UndoNotice(props: UndoProps) {
  const { t } = useLanguage();
  const { undo_seconds: seconds, undo_message: message, version } = props.order;
  const [expired, setExpired] = useState<number>();
  useEffect(() => {
    if (seconds === null) return;
    const timer = setTimeout(() => setExpired(version), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds, version]);
  if (seconds === null || expired === version) return null;
  return (
    <Notice tone="info" live action={<UndoButton {...props} />}>
      {message === null
        ? t('You can undo this for a minute. The customer’s page shows it at once.')
        : t('You can undo this for a minute. The customer’s page shows it at once, and the SMS is sent afterwards.')}
    </Notice>
  );
}

/** `namesOrder` is for a list with the moves of several orders. */
export function UndoButton({ order: { orderid, version }, pending, change, namesOrder = false }: UndoProps & { namesOrder?: boolean }) {
  const { t } = useLanguage();
  return (
    <Button
      variant="secondary"
      size="small"
      pending={pending}
      onClick={() => void change({ call: moveBack, body: { orderid, version }, done: msg('Moved back') })}
    >
      {t('Undo')}
      {namesOrder && <span className="sr-only"> {orderid}</span>}
    </Button>
  );
}
