import { useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import type { Area } from '../../../catalogue/contract.ts';
import { TIMESLOT } from '../../contract.ts';
import { cartActions } from './cart-state.ts';
import { changeDraft } from './draft.ts';
import { PickupDayForm } from './pickup-day-form.tsx';

interface PickupDayDialogProps {
  area: Area;
  /** The day of the draft. */
  day: string;
  open: boolean;
  onClose(): void;
}

/** Chooses the pickup day of the draft. */
export function PickupDayDialog({ open, onClose, ...props }: PickupDayDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={t('Change pickup day')}>
      <DraftDayForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function DraftDayForm({ area, day, onClose }: Omit<PickupDayDialogProps, 'open'>) {
  const { t } = useLanguage();
  const [chosen, setChosen] = useState(day);
  const choose = () => {
    changeDraft((draft) => cartActions.chooseDay(draft, chosen));
    onClose();
  };
  return (
    <PickupDayForm
      area={area}
      timeslot={TIMESLOT}
      current={day}
      chosen={chosen}
      onChoose={setChosen}
      onSubmit={choose}
      submitLabel={t('Change pickup day')}
    />
  );
}
