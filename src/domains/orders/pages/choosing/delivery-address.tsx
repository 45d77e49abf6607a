import { useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { useSessionUser } from '../../../../browser/session-user.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { ExternalSubmit } from '../../../addresses/pages/address-editor.tsx';
import { AddressPicker } from '../../../addresses/pages/address-picker.tsx';
import type { AddressForm } from '../../../addresses/contract.ts';
import { areaNames, type Area } from '../../../catalogue/contract.ts';
import { calculateRates, cartActions, otherAddressArea, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';
import { formatRate } from '../draft/order-labels.ts';

/**
 * Selects the address of the draft: a saved one of the customer, or a guest's. The order is for the
 * area of its address, so selecting an address can change the rate.
 */
export function DeliveryAddress({ draft, guestForm }: { draft: Draft; guestForm: ExternalSubmit }) {
  const userid = useSessionUser()?.userid ?? null;
  /** The area that the last selected address changed the order to. */
  const [changedTo, setChangedTo] = useState<Area | null>(null);
  const select = (address: AddressForm | null, change: (before: Draft) => Draft) => {
    const area = address?.area ?? null;
    setChangedTo(draft.area === 'none' || area === draft.area ? null : area);
    changeDraft(change);
  };
  const addressArea = otherAddressArea(draft, userid);
  return (
    <div className="space-y-4">
      <AddressPicker
        area={draft.area === 'none' ? null : draft.area}
        selected={draft.address}
        onSelect={(address) => select(address, (before) => cartActions.chooseAddress(before, address))}
        guestAddress={draft.guestAddress}
        guestForm={guestForm}
        onGuestAddress={(address) => select(address, (before) => cartActions.saveGuestAddress(before, address))}
      />
      <div role="status">
        {addressArea && <OtherArea addressArea={addressArea} orderArea={draft.area} />}
        {!addressArea && changedTo === draft.area && <ChangedArea draft={draft} area={changedTo} />}
      </div>
    </div>
  );
}

function OtherArea({ addressArea, orderArea }: { addressArea: Area; orderArea: Draft['area'] }) {
  const { t, translateData } = useLanguage();
  if (orderArea === 'none') return null;
  const ofAddress = translateData(areaNames[addressArea]);
  return (
    <Notice
      tone="warn"
      action={
        <Button variant="secondary" size="small" onClick={() => changeDraft((before) => cartActions.chooseArea(before, addressArea))}>
          {t('Order in {area}', { area: ofAddress })}
        </Button>
      }
    >
      {t('This address is in {addressArea}, but your order is for {orderArea}.', {
        addressArea: ofAddress,
        orderArea: translateData(areaNames[orderArea]),
      })}
    </Notice>
  );
}

function ChangedArea({ draft, area }: { draft: Draft; area: Area }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const rates = calculateRates(draft);
  if (!rates || !draft.service) return null;
  return (
    <Notice tone="info">
      {t('This address is in {area}, so your rate is now {rate}.', {
        area: translateData(areaNames[area]),
        rate: formatRate(language, rates.ratePaise, draft.service.unit),
      })}
    </Notice>
  );
}
