import { useLanguage } from '../../../i18n/language.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';

/** The public reply of the laundry. Nothing without one. */
export function ReviewReply({ text }: { text: string | null }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  if (text === null) return null;
  return (
    <div className="rounded-field bg-accent-soft p-3">
      <p className="text-sm font-semibold">{t('Reply from {brand}', { brand: brand.name })}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-line">
        {text}
      </p>
    </div>
  );
}
