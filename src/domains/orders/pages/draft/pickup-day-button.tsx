import { Suspense, useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { textLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { lazyComponent } from '../../../../browser/lazy-component.ts';
import type { Draft } from './cart-state.ts';

/** Loaded when the button receives the pointer or the focus. */
const PickupDayDialog = lazyComponent(async () => (await import('./pickup-day-dialog.tsx')).PickupDayDialog);

/**
 * A button that opens the dialog of the available pickup days. Renders nothing until the draft has
 * an area and a pickup day.
 */
export function PickupDayButton({ draft: { area, pickupDay } }: { draft: Draft }) {
  const { t } = useLanguage();
  const [dialog, setDialog] = useState<'none' | 'open' | 'closed'>('none');
  if (area === 'none' || pickupDay === null) return null;
  return (
    <>
      <button
        type="button"
        className={`${textLinkStyles} -my-2 min-h-11 text-sm`}
        onPointerEnter={PickupDayDialog.preload}
        onFocus={PickupDayDialog.preload}
        onClick={() => setDialog('open')}
      >
        {t('Another day')}
      </button>
      {dialog !== 'none' && (
        <Suspense>
          <PickupDayDialog area={area} day={pickupDay} open={dialog === 'open'} onClose={() => setDialog('closed')} />
        </Suspense>
      )}
    </>
  );
}
