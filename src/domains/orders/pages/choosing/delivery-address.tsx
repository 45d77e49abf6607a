import { AddressPicker } from '../../../addresses/pages/address-picker.tsx';
import { cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';

/** Selects the address of the draft: a saved one of the customer, or a guest's. */
export function DeliveryAddress({ draft }: { draft: Draft }) {
  return (
    <AddressPicker
      selected={draft.address}
      onSelect={(address) => changeDraft((before) => cartActions.chooseAddress(before, address))}
      guestAddress={draft.guestAddress}
      onGuestAddress={(address) => changeDraft((before) => cartActions.saveGuestAddress(before, address))}
    />
  );
}
