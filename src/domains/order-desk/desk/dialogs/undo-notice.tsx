import { useEffect, useEffectEvent, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { moveBack, type DeskOrder } from '../contract.ts';
import type { SendChange } from '../use-change.ts';

interface UndoNoticeProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
  /** Names the order. Missing on the screen of the order. */
  title?: string;
  /** Called when the notice disappears because the time is over. */
  onExpired?(): void;
}

/** Offers to undo the last move of an order. Disappears when the time to undo is over. */
export function UndoNotice({ order, pending, change, title, onExpired }: UndoNoticeProps) {
  const { t } = useLanguage();
  const { orderid, undo_seconds: seconds, undo_message: message, version } = order;
  const [expired, setExpired] = useState<number>();
  const expire = useEffectEvent((expiredVersion: number) => {
    setExpired(expiredVersion);
    onExpired?.();
  });
  useEffect(() => {
    if (seconds === null) return;
    const timer = setTimeout(() => expire(version), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds, version]);
  if (seconds === null || expired === version) return null;
  return (
    <Notice
      tone="info"
      live
      {...(title !== undefined && { title })}
      action={
        <Button
          variant="secondary"
          size="small"
          pending={pending}
          onClick={() => void change({ call: moveBack, body: { orderid, version }, done: msg('Moved back') })}
        >
          {t('Undo')}
        </Button>
      }
    >
      {message === null
        ? t('You can undo this for a minute. The customer’s page shows it at once.')
        : t('You can undo this for a minute. The customer’s page shows it at once, and the SMS is sent afterwards.')}
    </Notice>
  );
}
