import { useEffect, useEffectEvent, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { loadConfirm } from './load-route.ts';

type Status = 'waiting' | 'loading' | 'failed';

/**
 * Returns `whenOnline`, which waits for a connection, loads the scripts of /confirm, then calls
 * `openConfirm`. `status` is 'failed' if they do not load, undefined if nothing is in progress.
 * `key` is the draft's key: another key or an unmount cancels the wait.
 */
export function useConnectionWait(key: string, openConfirm: () => void) {
  const [state, setState] = useState<{ key: string; status: Status }>();
  const status = state?.key === key ? state.status : undefined;
  const setStatus = useEffectEvent((next: Status) => setState({ key, status: next }));
  const open = useEffectEvent(() => {
    setState(undefined);
    openConfirm();
  });
  useEffect(() => {
    if (status === 'waiting') {
      const proceed = () => setStatus('loading');
      window.addEventListener('online', proceed);
      return () => window.removeEventListener('online', proceed);
    }
    if (status === 'loading') {
      let isCancelled = false;
      loadConfirm().then(
        () => !isCancelled && open(),
        () => !isCancelled && setStatus('failed'),
      );
      return () => {
        isCancelled = true;
      };
    }
    return undefined;
  }, [status]);
  return {
    status,
    /** `currentKey` can be newer than the last rendering. */
    whenOnline: (currentKey: string) => setState({ key: currentKey, status: navigator.onLine ? 'loading' : 'waiting' }),
    cancel: () => setState(undefined),
  };
}

interface ConnectionNoticeProps {
  status: 'waiting' | 'failed';
  onCancel(): void;
  onRetry(): void;
}

/**
 * Replaces the button that places the order: while the order waits for the connection, and after
 * the script of the next step failed to load.
 */
export function ConnectionNotice({ status, onCancel, onRetry }: ConnectionNoticeProps) {
  const { t } = useLanguage();
  if (status === 'failed') {
    return (
      <Notice
        tone="bad"
        live
        title={t('Your order was not placed')}
        action={
          <Button variant="primary" size="small" onClick={onRetry}>
            {t('Try again')}
          </Button>
        }
      >
        {t('A part of this page did not arrive. Your order is still here.')}
      </Notice>
    );
  }
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
