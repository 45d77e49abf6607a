import { Modal, type ModalProps } from './modal.tsx';

/** A bottom sheet on phones and a side drawer on wide screens. */
export function Sheet(props: ModalProps) {
  return <Modal {...props} variant="sheet" />;
}
