import { useSession } from '../../../browser/session-user.ts';
import type { Area } from '../../catalogue/contract.ts';
import type { Address, AddressForm } from '../contract.ts';
import type { ExternalSubmit } from './address-editor.tsx';
import { GuestAddress } from './guest-address.tsx';
import { SavedAddresses } from './saved-addresses.tsx';
import { AddressPickerSkeleton } from './address-picker-skeleton.tsx';

/** The picker has no state of its own: the draft order stores the selection. */
export interface AddressPickerProps {
  /** The area of the order, selected initially in the form of a new address. */
  area: Area | null;
  /** The selected saved address. */
  selected: Address | null;
  onSelect(address: Address | null): void;
  /** The address of a guest. Guest mode is on while it is set (specification section 4). */
  guestAddress: AddressForm | null;
  onGuestAddress(address: AddressForm | null): void;
  /** Called when a guest selects another area in the form, before it is saved. */
  onGuestArea(area: Area): void;
  guestForm: ExternalSubmit;
}

/**
 * Lets a customer choose a saved address. A visitor who is not signed in can log in or check out as
 * a guest. Specification section 2, "In-cart address picker".
 */
export function AddressPicker({ area, selected, onSelect, guestAddress, onGuestAddress, onGuestArea, guestForm }: AddressPickerProps) {
  const session = useSession();
  if (session === 'unknown') return <AddressPickerSkeleton />;
  if (session === 'signed-out') {
    return <GuestAddress defaultArea={area} address={guestAddress} onChange={onGuestAddress} onArea={onGuestArea} external={guestForm} />;
  }
  return <SavedAddresses key={session.userid} userid={session.userid} defaultArea={area} selected={selected} onSelect={onSelect} />;
}
