import { useEffect, useEffectEvent, useRef } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { useSessionUser } from '../../../../browser/session-user.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import type { ExternalSubmit } from '../../../addresses/pages/address-editor.tsx';
import { AddressPicker } from '../../../addresses/pages/address-picker.tsx';
import type { AddressForm } from '../../../addresses/contract.ts';
import { formatRate } from '../../../catalogue/pages/format-rate.ts';
import { areaNames, type Area } from '../../../catalogue/contract.ts';
import { calculateRates, cartActions, otherAddressArea, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';

interface DeliveryAddressProps {
  draft: Draft;
  guestForm: ExternalSubmit;
  /** Called with the area that the selected address changed the order to, for `ChangedArea`. */
  onAreaChange(area: Area | null): void;
}

/**
 * Selects the address of the draft: a saved one of the customer, or a guest's. The order is for the
 * area of its address, so selecting an address can change the rate.
 */
export function DeliveryAddress({ draft, guestForm, onAreaChange }: DeliveryAddressProps) {
  const userid = useSessionUser()?.userid ?? null;
  const container = useRef<HTMLDivElement>(null);
  const clearAreaChange = useEffectEvent(() => onAreaChange(null));
  useEffect(() => () => clearAreaChange(), []);
  const select = (address: AddressForm | null, change: (before: Draft) => Draft) => {
    const area = address?.area ?? null;
    // The same address is selected again after it was loaded again.
    if (area !== draft.area) onAreaChange(draft.area === 'none' ? null : area);
    changeDraft(change);
  };
  const selectGuestArea = (area: Area) => {
    onAreaChange(draft.area === 'none' ? null : area);
    changeDraft((before) =>
      before.guestAddress ? cartActions.saveGuestAddress(before, { ...before.guestAddress, area }) : cartActions.chooseArea(before, area),
    );
  };
  const addressArea = otherAddressArea(draft, userid);
  const orderIn = (area: Area) => {
    onAreaChange(area);
    changeDraft((before) => cartActions.chooseArea(before, area));
    // The button, which had the focus, is removed.
    container.current?.focus();
  };
  return (
    <div ref={container} tabIndex={-1}>
      <div role="status" className="not-empty:mb-4">
        {addressArea && <OtherArea addressArea={addressArea} orderArea={draft.area} onOrderHere={() => orderIn(addressArea)} />}
      </div>
      <AddressPicker
        area={draft.area === 'none' ? null : draft.area}
        selected={draft.address}
        onSelect={(address) => select(address, (before) => cartActions.chooseAddress(before, address))}
        guestAddress={draft.guestAddress}
        guestForm={guestForm}
        onGuestAddress={(address) => select(address, (before) => cartActions.saveGuestAddress(before, address))}
        onGuestArea={(area) => selectGuestArea(area)}
      />
    </div>
  );
}

interface OtherAreaProps {
  addressArea: Area;
  orderArea: Draft['area'];
  onOrderHere(): void;
}

function OtherArea({ addressArea, orderArea, onOrderHere }: OtherAreaProps) {
  const { t, translateData } = useLanguage();
  if (orderArea === 'none') return null;
  const ofAddress = translateData(areaNames[addressArea]);
  return (
    <Notice
      tone="warn"
      action={
        <Button variant="secondary" size="small" onClick={onOrderHere}>
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

/**
 * The text about the rate after the selected address changed the area of the order to `area`, in a
 * live region of the caller. Empty if the order is for another area by now.
 */
export function ChangedArea({ draft, area }: { draft: Draft; area: Area | null }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const userid = useSessionUser()?.userid ?? null;
  const rates = calculateRates(draft);
  if (area === null || area !== draft.area || otherAddressArea(draft, userid) || !rates || !draft.service) return null;
  return t('This address is in {area}, so your rate is now {rate}.', {
    area: translateData(areaNames[area]),
    rate: formatRate(language, rates.orderRatePaise, draft.service.unit),
  });
}
