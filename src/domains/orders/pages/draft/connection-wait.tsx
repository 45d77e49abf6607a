import { useEffect, useEffectEvent, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';

/**
 * Returns `whenOnline`, which calls `placeOrder` at once, or when the connection is back. Until
 * then `isWaiting` is true. `key` is that of the draft: any change of the order, and closing the
 * cart, cancels the wait.
 */
export function useConnectionWait(key: string, placeOrder: () => void) {
  const [waitingKey, setWaitingKey] = useState<string>();
  const isWaiting = waitingKey === key;
  const proceed = useEffectEvent(() => {
    setWaitingKey(undefined);
    placeOrder();
  });
  useEffect(() => {
    if (!isWaiting) return;
    window.addEventListener('online', proceed);
    return () => window.removeEventListener('online', proceed);
  }, [isWaiting]);
  return {
    isWaiting,
    /** `currentKey` can be newer than the last rendering. */
    whenOnline: (currentKey: string) => (navigator.onLine ? placeOrder() : setWaitingKey(currentKey)),
    cancel: () => setWaitingKey(undefined),
  };
}

/** Replaces the button that places the order. */
export function ConnectionWait({ onCancel }: { onCancel(): void }) {
  const { t } = useLanguage();
  return (
    <Notice
      tone="warn"
      live
      title={t('Your order waits for the connection')}
      action={
        <Button variant="secondary" size="small" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      }
    >
      {t('You are offline. Keep this page open: your order goes on by itself when you are online again, and it is placed only once.')}
    </Notice>
  );
}
