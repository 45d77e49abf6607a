import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PencilIcon, TrashIcon } from '../../../ui/icons/edit.tsx';
import { links } from '../../../shared/links.ts';
import type { Address } from '../contract.ts';
import { AddressLines } from './address-lines.tsx';

/** A saved address with its actions. */
export function AddressCard({ address, onDelete }: { address: Address; onDelete(): void }) {
  const { t } = useLanguage();
  const params = { address: `${address.name}, ${address.address1}` };
  return (
    <Card as="li">
      <div className="flex h-full flex-col justify-between gap-4">
        <div>
          <h2 className="font-semibold">{address.name}</h2>
          <p className="mt-1 text-sm text-ink-soft">
            <AddressLines address={address} />
          </p>
          {address.area === null && <p className="mt-1 text-sm text-warn">{t('Area not selected yet')}</p>}
        </div>
        <div className="-mx-3 -mb-2 flex gap-1 border-t border-line px-1 pt-2">
          <Link
            to={links.editAddress(address.addressid)}
            aria-label={t('Edit {address}', params)}
            className={buttonStyles('quiet', 'small')}
          >
            <PencilIcon small />
            {t('Edit')}
          </Link>
          <Button variant="quiet" size="small" icon={<TrashIcon small />} aria-label={t('Delete {address}', params)} onClick={onDelete}>
            {t('Delete')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
