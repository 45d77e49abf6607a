import { useLanguage } from '../../../i18n/language.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';

/** The picker before it is known who is here, or which addresses there are. */
export function WaitingChoices() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your addresses')}>
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </SkeletonGroup>
  );
}
