import { useLanguage } from '../../../i18n/language.tsx';
import type { AddressForm } from '../contract.ts';

/** The lines of an address below its name, which is the title of the card. */
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
