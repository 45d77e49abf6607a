import { Modal, type ModalProps } from './modal.tsx';

/** A sheet from the bottom on phones, within reach of the thumb; a drawer at the side on wide screens. */
export function Sheet(props: ModalProps) {
  return <Modal {...props} look="sheet" />;
}
