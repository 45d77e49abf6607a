import { useLanguage } from '../../../i18n/language.tsx';
import type { AddressForm } from '../contract.ts';

/** An address as it is read out to a rider: where, how to find it, in which town, whom to call. The name stands above it, as the card's title. */
export function AddressLines({ address }: { address: AddressForm }) {
  const { translateData } = useLanguage();
  const { address1, address2, landmark, city, state, pincode, mobile } = address;
  return (
    <>
      <span className="block">{address1}</span>
      <span className="block">{address2}</span>
      <span className="block">{landmark}</span>
      <span className="block">
        {translateData(city)}, {translateData(state)} {pincode}
      </span>
      <span className="block tabular-nums">+91 {mobile}</span>
    </>
  );
}
