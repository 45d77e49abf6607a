import { useLanguage } from '../../../i18n/language.tsx';
import { areaNames } from '../../catalogue/contract.ts';
import type { AddressForm } from '../contract.ts';

/** The lines of an address below its name, which is the title of the card. */
export function AddressLines({ address }: { address: AddressForm }) {
  const { translateData } = useLanguage();
  const { address1, address2, landmark, area, city, state, pincode, mobile } = address;
  return (
    <>
      <span className="block">{address1}</span>
      <span className="block">{address2}</span>
      <span className="block">{landmark}</span>
      <span className="block">
        {area && `${translateData(areaNames[area])}, `}
        {translateData(city)}, {translateData(state)} {pincode}
      </span>
      <span className="block tabular-nums">+91 {mobile}</span>
    </>
  );
}
