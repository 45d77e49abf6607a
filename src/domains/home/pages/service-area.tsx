import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { PinIcon } from '../../../ui/icons/navigation.tsx';

/** The service area (specification sections 1 and 9). */
export function ServiceArea() {
  const { t } = useLanguage();
  return (
    <p className="flex gap-3 rounded-card bg-accent-soft p-4 text-sm">
      <span className="text-accent-ink">
        <PinIcon />
      </span>
      <span>
        <RichText
          text="We collect and deliver in {sector} and {society}, Gurugram, Haryana 122052. Your clothes are weighed and counted at pickup."
          parts={{ sector: <strong>{t('Sector-1, Manesar')}</strong>, society: <strong>{t('Vatika India Next')}</strong> }}
        />
      </span>
    </p>
  );
}
