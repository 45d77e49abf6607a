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
import { StaleNotice } from '../../staff/desk/stale-notice.tsx';
import { capacityOn, isoWeekday } from '../rules.ts';
import { setEvenings, writtenCapacity, type DeskEvening, type DeskPlan, type EveningChange } from './contract.ts';
import { DueNotice } from './due-notice.tsx';
import { capacityText, formatDayOfWeek } from './evening-texts.ts';
import { isSameDay } from './rules.ts';

const rules = { capacity: writtenCapacity };

type Kind = 'plan' | 'number' | 'any' | 'closed';

function kindOf({ capacity, is_exception: isException }: DeskEvening): Kind {
  if (!isException) return 'plan';
  if (capacity === null) return 'any';
  return capacity === 0 ? 'closed' : 'number';
}

interface EveningFormProps {
  /** The current one. */
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

/** Returns the number with which the field begins. */
const toTyped = ({ capacity }: DeskEvening, plan: DeskPlan): string => String((capacity ?? plan.capacity) || '');

function EveningForm({ evening, sameDay, plan, pending, onSave }: EveningFormProps) {
  const language = useLanguage();
  const { t, plural, translateData } = language;
  const { day, booked, to_collect: toCollect } = evening;
  const collected = booked - toCollect;
  const [kind, setKind] = useState(kindOf(evening));
  const [area, setArea] = useState<Area | 'all'>(evening.area);
  const form = useForm(rules, { capacity: toTyped(evening, plan) }, setEvenings.errors);
  /** The evenings that the form is based on. */
  const [base, setBase] = useState(sameDay);
  const [staleAreas, setStaleAreas] = useState<readonly Area[]>([]);
  const ofArea = (evenings: readonly DeskEvening[], wanted: Area) => evenings.find((row) => row.area === wanted) ?? evening;
  const changed = sameDay.filter((row) => !isSameDay(ofArea(base, row.area), row));
  if (changed.length > 0) {
    const before = ofArea(base, evening.area);
    if (kind === kindOf(before) && form.values.capacity === toTyped(before, plan)) {
      setKind(kindOf(evening));
      form.set('capacity', toTyped(evening, plan));
    }
    setBase(sameDay);
    setStaleAreas([...new Set([...staleAreas, ...changed.map((row) => row.area)])]);
  }
  const usual = capacityOn({ capacity: plan.capacity, closedWeekdays: plan.closed_weekdays, exceptions: [] }, day);
  const written = Number(form.values.capacity);
  const capacity = { plan: usual, number: written > 0 ? written : null, any: null, closed: 0 }[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = kind === 'number' ? form.validate() : { capacity: capacity ?? 0 };
    if (!values || pending) return;
    const target = { areas: area === 'all' ? [...AREAS] : [area], day, before: [...base] };
    if (kind === 'plan') return onSave({ action: 'reset', ...target });
    onSave({ action: 'evening', ...target, capacity: kind === 'any' ? null : values.capacity });
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      {staleAreas.length > 0 && (
        <StaleNotice>
          <ul>
            {staleAreas.map((stale) => (
              <li key={stale}>
                {translateData(areaNames[stale])}: {capacityText(language, ofArea(sameDay, stale).capacity)}
              </li>
            ))}
          </ul>
        </StaleNotice>
      )}
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
          {toCollect > 0 && (
            <p>
              {plural(
                toCollect,
                {
                  one: '{count} order is booked for this evening and stays. Its page has the button “Another day”.',
                  other: '{count} orders are booked for this evening and stay. Their pages have the button “Another day”.',
                },
                { count: toCollect },
              )}
            </p>
          )}
          {collected > 0 && (
            <p>
              {plural(
                collected,
                {
                  one: '{count} order of this evening is already collected. It does not change.',
                  other: '{count} orders of this evening are already collected. They do not change.',
                },
                { count: collected },
              )}
            </p>
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
