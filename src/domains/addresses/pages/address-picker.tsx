import { useSession } from '../../../browser/session-user.ts';
import type { Address, AddressForm } from '../contract.ts';
import { GuestAddress } from './guest-address.tsx';
import { SavedAddresses } from './saved-addresses.tsx';
import { WaitingChoices } from './waiting-choices.tsx';

/** Where to collect and deliver, as the order holds it: the picker keeps nothing of its own. */
export interface AddressPickerProps {
  /** The saved address that is chosen. */
  selected: Address | null;
  onSelect(address: Address | null): void;
  /** The address of a guest; guest mode is on while there is one (specification section 4). */
  guestAddress: AddressForm | null;
  onGuestAddress(address: AddressForm | null): void;
}

/** Customers choose among their saved addresses, strangers log in or check out as a guest. Specification section 2, "In-cart address picker". */
export function AddressPicker({ selected, onSelect, guestAddress, onGuestAddress }: AddressPickerProps) {
  const session = useSession();
  if (session === 'unknown') return <WaitingChoices />;
  if (session === 'signed-out') return <GuestAddress address={guestAddress} onChange={onGuestAddress} />;
  return <SavedAddresses key={session.userid} userid={session.userid} selected={selected} onSelect={onSelect} />;
}
