import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';

/** The picker before it is known who is here, or which addresses there are. */
export function WaitingChoices() {
  return (
    <SkeletonGroup label="Loading your addresses">
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </SkeletonGroup>
  );
}
