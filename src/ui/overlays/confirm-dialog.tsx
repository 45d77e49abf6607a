import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../actions/button.tsx';
import { FormError } from '../feedback/form-error.tsx';
import { Modal } from './modal.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** Names what will be deleted. */
  message: string;
  confirmLabel: string;
  cancelLabel?: string;
  pending: boolean;
  error: string | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before an action that cannot be undone. The cancel button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useLanguage();
  return (
    <Modal open={props.open} onClose={props.onCancel} title={props.title} variant="centre" role="alertdialog">
      <p className="text-ink-soft">{props.message}</p>
      <FormError text={props.error} />
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button variant="secondary" wide data-autofocus onClick={props.onCancel}>
          {props.cancelLabel ?? t('Cancel')}
        </Button>
        <Button variant="danger" wide pending={props.pending} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}
