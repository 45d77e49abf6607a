import { useLanguage } from '../../../../i18n/language.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { PhoneIcon } from '../../../../ui/icons/contact.tsx';
import { PinIcon } from '../../../../ui/icons/navigation.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import type { ListedOrder } from '../contract.ts';

export function CallLink({ mobile }: { mobile: string }) {
  const { t } = useLanguage();
  return (
    <a href={`tel:+91${mobile}`} className={buttonStyles('secondary', 'small')} aria-label={t('Call {mobile}', { mobile })}>
      <PhoneIcon small />
      <span className="tabular-nums">{mobile}</span>
    </a>
  );
}

interface MapLinkProps {
  address: Pick<ListedOrder, 'name' | 'address1' | 'address2' | 'landmark' | 'area'>;
  variant: 'quiet' | 'secondary';
}

export function MapLink({ address: { name, address1, address2, landmark, area }, variant }: MapLinkProps) {
  const { t } = useLanguage();
  const place = [address1, address2, landmark, areaNames[area]].join(', ');
  return (
    <a
      href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`}
      target="_blank"
      rel="noreferrer"
      className={buttonStyles(variant, 'small')}
      aria-label={t('Map to {name}', { name })}
    >
      <PinIcon small />
      {t('Map')}
    </a>
  );
}
