import { useState, type FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { AREAS, areaNames, type Area } from '../../catalogue/contract.ts';
import { capacityOn, isoWeekday } from '../rules.ts';
import { setEvenings, writtenCapacity, type DeskEvening, type DeskPlan, type EveningChange } from './contract.ts';
import { DueNotice } from './due-notice.tsx';
import { capacityText, formatDayOfWeek } from './evening-texts.ts';

const rules = { capacity: writtenCapacity };

type Kind = 'plan' | 'number' | 'any' | 'closed';

function kindOf({ capacity, is_exception: isException }: DeskEvening): Kind {
  if (!isException) return 'plan';
  if (capacity === null) return 'any';
  return capacity === 0 ? 'closed' : 'number';
}

interface EveningFormProps {
  evening: DeskEvening;
  /** The evenings of all areas on its day. */
  sameDay: readonly DeskEvening[];
  plan: DeskPlan;
  pending: boolean;
  onSave(change: EveningChange): void;
}

interface EveningDialogProps extends Omit<EveningFormProps, 'evening' | 'plan'> {
  open: boolean;
  evening: DeskEvening | undefined;
  plan: DeskPlan | undefined;
  onClose(): void;
}

/** One evening that differs from the usual week. */
export function EveningDialog({ open, onClose, evening, plan, ...rest }: EveningDialogProps) {
  const language = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={evening ? formatDayOfWeek(language, evening.day, isoWeekday(evening.day)) : ''}>
      {evening && plan && <EveningForm evening={evening} plan={plan} {...rest} />}
    </Dialog>
  );
}

function EveningForm({ evening, sameDay, plan, pending, onSave }: EveningFormProps) {
  const language = useLanguage();
  const { t, plural, translateData } = language;
  const { day, booked } = evening;
  const [kind, setKind] = useState(kindOf(evening));
  const [area, setArea] = useState<Area | 'all'>(evening.area);
  const initial = evening.capacity ?? plan.capacity;
  const form = useForm(rules, { capacity: initial ? String(initial) : '' }, setEvenings.errors);
  const usual = capacityOn({ capacity: plan.capacity, closedWeekdays: plan.closed_weekdays, exceptions: [] }, day);
  const written = Number(form.values.capacity);
  const capacity = { plan: usual, number: written > 0 ? written : null, any: null, closed: 0 }[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = kind === 'number' ? form.validate() : { capacity: capacity ?? 0 };
    if (!values || pending) return;
    const target = { areas: area === 'all' ? [...AREAS] : [area], day };
    if (kind === 'plan') return onSave({ action: 'reset', ...target });
    onSave({ action: 'evening', ...target, capacity: kind === 'any' ? null : values.capacity });
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <SelectField
        label={t('Area')}
        error={undefined}
        value={area}
        options={[
          { value: evening.area, label: translateData(areaNames[evening.area]) },
          { value: 'all', label: t('All areas') },
        ]}
        onChange={({ target }) => setArea(target.value as Area | 'all')}
      />
      <SegmentedChoice
        variant="chips"
        legend={t('This evening')}
        options={[
          { value: 'plan', label: t('As usual'), hint: capacityText(language, usual) },
          { value: 'number', label: t('Another number') },
          { value: 'any', label: t('Any number') },
          { value: 'closed', label: t('Closed') },
        ]}
        value={kind}
        onChange={setKind}
      />
      {kind === 'number' && (
        <TextField label={t('Orders on this evening')} {...form.field('capacity')} inputMode="numeric" autoComplete="off" />
      )}
      {capacity !== null && booked > capacity && (
        <Notice tone="warn" live>
          {plural(
            booked,
            {
              one: '{count} order is booked for this evening and stays. Its page has the button “Another day”.',
              other: '{count} orders are booked for this evening and stay. Their pages have the button “Another day”.',
            },
            { count: booked },
          )}
        </Notice>
      )}
      {capacity === 0 && <DueNotice evenings={area === 'all' ? sameDay : [evening]} />}
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Save')}
      </SubmitButton>
    </form>
  );
}
