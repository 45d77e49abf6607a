import { Modal, type ModalProps } from './modal.tsx';

/** A panel in the middle of the screen that wants one thing. */
export function Dialog(props: ModalProps) {
  return <Modal {...props} look="centre" />;
}
