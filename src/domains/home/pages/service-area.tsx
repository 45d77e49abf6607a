import { PinIcon } from '../../../ui/icons/navigation.tsx';

/** Where the laundry works (specification sections 1 and 9). */
export function ServiceArea() {
  return (
    <p className="flex gap-3 rounded-card bg-accent-soft p-4 text-sm">
      <span className="text-accent-ink">
        <PinIcon />
      </span>
      <span>
        We collect and deliver in <strong>Sector-1, Manesar</strong> and <strong>Vatika India Next</strong>, Gurugram, Haryana 122052. Your
        clothes are weighed and counted at pickup.
      </span>
    </p>
  );
}
