import { AddressPicker } from '../../../addresses/pages/address-picker.tsx';
import { cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';

/** The draft's address: one of the customer's, or a guest's own. */
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
