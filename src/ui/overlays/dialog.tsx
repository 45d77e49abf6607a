import { Modal, type ModalProps } from './modal.tsx';

/** A modal panel in the centre of the screen. */
export function Dialog(props: ModalProps) {
  return <Modal {...props} variant="centre" />;
}
