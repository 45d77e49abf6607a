import { useLanguage } from '../../../../i18n/language.tsx';
import type { Draft, MissingPart } from '../draft/cart-state.ts';
import { DeliveryAddress } from './delivery-address.tsx';
import { HINTS } from '../draft/order-words.ts';
import { PickupSlot } from './pickup-slot.tsx';

interface CartAddressProps {
  draft: Draft;
  missing: readonly MissingPart[];
  /** Proceed was pressed in vain. */
  refused: boolean;
}

/** Stage 2: where the clothes are fetched. It says what is still missing, and says it louder once Proceed was pressed. */
export function CartAddress({ draft, missing, refused }: CartAddressProps) {
  const { t } = useLanguage();
  return (
    <div className="space-y-4">
      {missing.includes('slot') && <PickupSlot draft={draft} />}
      <DeliveryAddress draft={draft} />
      <div role={refused ? 'alert' : undefined} className={`text-sm font-medium ${refused ? 'text-bad-ink' : 'text-ink-soft'}`}>
        {missing.map((part) => (
          <p key={part}>{t(HINTS[part])}</p>
        ))}
      </div>
    </div>
  );
}
