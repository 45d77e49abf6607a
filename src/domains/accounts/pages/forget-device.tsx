import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { links } from '../../../shared/links.ts';
import { fetchSend } from '../../../browser/client.ts';
import { clearSession } from '../../../browser/change-session.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { accountMessages, logout } from '../contract.ts';

/**
 * For guests: removes orders and address from this browser, after a confirmation, and opens home.
 */
export function ForgetDevice({ onForgotten }: { onForgotten?: () => void }) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);

  const forget = async () => {
    setIsPending(true);
    try {
      await fetchSend(logout, { forget_device: true });
    } catch (error) {
      setIsOpen(false);
      return alertProblem(error, { doing: 'forgetting this device' });
    } finally {
      setIsPending(false);
    }
    // Navigates first: the page of an order would show the log-in to a visitor without a session.
    // Replaces the history entry: that of /confirm contains the order.
    await navigate(links.home(), { replace: true });
    clearSession();
    onForgotten?.();
    showToast({ text: accountMessages.deviceForgotten, theme: 'green' });
  };

  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
        {t('Forget my details on this device')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('Forget my details on this device?')}
        message={t(
          'Your orders and your address are no longer shown in this browser. We still carry out the orders. To see them again, sign up or set a new password with the same mobile number.',
        )}
        confirmLabel={t('Forget')}
        pending={isPending}
        error={null}
        onConfirm={() => void forget()}
        onCancel={() => setIsOpen(false)}
      />
    </>
  );
}
