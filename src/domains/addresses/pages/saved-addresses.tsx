import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ChoiceCard } from '../../../ui/fields/choice-card.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PlusIcon } from '../../../ui/icons/edit.tsx';
import { PinIcon } from '../../../ui/icons/navigation.tsx';
import type { Area } from '../../catalogue/contract.ts';
import type { Address } from '../contract.ts';
import { AddAddressDialog } from './add-address-dialog.tsx';
import { AddressLines } from './address-lines.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { useAddresses } from './use-addresses.ts';
import { AddressPickerSkeleton } from './address-picker-skeleton.tsx';

interface SavedAddressesProps {
  userid: string;
  defaultArea: Area | null;
  selected: Address | null;
  onSelect(address: Address | null): void;
}

/**
 * The customer's addresses as radio buttons, and a dialog that adds one without leaving the order.
 */
export function SavedAddresses({ userid, defaultArea, selected, onSelect }: SavedAddressesProps) {
  const { t } = useLanguage();
  const query = useAddresses(userid);
  const [adding, setAdding] = useState(false);
  const [selectedBefore] = useState(selected);
  const group = useId();
  const addresses = query.status === 'success' ? query.data : undefined;

  // The selected address may have been changed or deleted on another page.
  const updateSelection = useEffectEvent((fresh: Address[]) => {
    if (!selected) return;
    const current = fresh.find(({ addressid }) => addressid === selected.addressid) ?? null;
    if (JSON.stringify(current) !== JSON.stringify(selected)) onSelect(current);
  });
  useEffect(() => {
    if (addresses) updateSelection(addresses);
  }, [addresses]);

  if (query.status === 'loading') return <AddressPickerSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your addresses')} onRetry={query.retry} />;
  return (
    <div className="space-y-4">
      {query.isRefetchError && <LoadingFailed live title={t('We could not load your addresses')} onRetry={query.refetch} />}
      {selectedBefore && !selected && !query.data.some(({ addressid }) => addressid === selectedBefore.addressid) && (
        <Notice tone="warn" live>
          {t('The selected address has been deleted. Please select another one.')}
        </Notice>
      )}
      {query.data.length === 0 ? (
        <p className="rounded-card bg-sunk px-4 py-6 text-center text-ink-soft">{t('You have no saved address')}</p>
      ) : (
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('Pickup & delivery address')}</legend>
          {query.data.map((address) => (
            <ChoiceCard
              key={address.addressid}
              name={group}
              value={address.addressid}
              checked={address.addressid === selected?.addressid}
              onChoose={() => onSelect(address)}
              title={address.name}
              media={<PinIcon />}
            >
              <AddressLines address={address} />
            </ChoiceCard>
          ))}
        </fieldset>
      )}
      <Button variant="secondary" wide icon={<PlusIcon />} onClick={() => setAdding(true)}>
        {t('Add new address')}
      </Button>
      <AddAddressDialog
        open={adding}
        userid={userid}
        defaultArea={defaultArea}
        onClose={() => setAdding(false)}
        onAdded={(address) => {
          setAdding(false);
          // An address that is added during an order is selected for it.
          onSelect(address);
          void query.refetch();
        }}
      />
    </div>
  );
}
