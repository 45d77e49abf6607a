import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ChoiceCard } from '../../../ui/fields/choice-card.tsx';
import { PlusIcon } from '../../../ui/icons/edit.tsx';
import { PinIcon } from '../../../ui/icons/navigation.tsx';
import type { Address } from '../contract.ts';
import { AddAddressDialog } from './add-address-dialog.tsx';
import { AddressLines } from './address-lines.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { useAddresses } from './loading.ts';
import { WaitingChoices } from './waiting-choices.tsx';

interface SavedAddressesProps {
  userid: string;
  selected: Address | null;
  onSelect(address: Address | null): void;
}

/** The customer's addresses as radio buttons, and the way to add one without leaving the order. */
export function SavedAddresses({ userid, selected, onSelect }: SavedAddressesProps) {
  const { t } = useLanguage();
  const { loaded, reload, retry } = useAddresses(userid);
  const [adding, setAdding] = useState(false);
  const group = useId();
  const addresses = loaded.state === 'ready' ? loaded.data : undefined;

  // What was chosen earlier may have been changed or deleted on another page.
  const follow = useEffectEvent((fresh: Address[]) => {
    if (!selected) return;
    const now = fresh.find(({ addressid }) => addressid === selected.addressid) ?? null;
    if (JSON.stringify(now) !== JSON.stringify(selected)) onSelect(now);
  });
  useEffect(() => {
    if (addresses) follow(addresses);
  }, [addresses]);

  if (loaded.state === 'loading') return <WaitingChoices />;
  if (loaded.state === 'failed') return <LoadingFailed title={t('We could not load your addresses')} onRetry={retry} />;
  return (
    <div className="space-y-4">
      {loaded.data.length === 0 ? (
        <p className="rounded-card bg-sunk px-4 py-6 text-center text-ink-soft">{t('You have no saved address')}</p>
      ) : (
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('Pickup & delivery address')}</legend>
          {loaded.data.map((address) => (
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
        onClose={() => setAdding(false)}
        onAdded={(address) => {
          setAdding(false);
          // Added in the middle of an order: it is the one that is meant.
          onSelect(address);
          void reload();
        }}
      />
    </div>
  );
}
