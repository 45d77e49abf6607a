import { useLanguage } from '../../../i18n/language.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';

/** Shown while the session or the addresses load. */
export function AddressPickerSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your addresses')}>
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </SkeletonGroup>
  );
}
