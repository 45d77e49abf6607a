import { useState, type FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
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
  plans: readonly DeskPlan[];
  pending: boolean;
  onSave(change: EveningChange): void;
}

interface EveningDialogProps extends Omit<EveningFormProps, 'evening'> {
  open: boolean;
  evening: DeskEvening | undefined;
  onClose(): void;
}

/** One evening that differs from the usual week. */
export function EveningDialog({ open, onClose, evening, ...rest }: EveningDialogProps) {
  const language = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={evening ? formatDayOfWeek(language, evening.day, isoWeekday(evening.day)) : ''}>
      {evening && <EveningForm evening={evening} {...rest} />}
    </Dialog>
  );
}

/** Returns the number with which the field begins. */
const toTyped = ({ capacity }: DeskEvening, plan: DeskPlan | undefined): string => String((capacity ?? plan?.capacity) || '');

function usualCapacity(plan: DeskPlan | undefined, day: string): number | null {
  return plan ? capacityOn({ capacity: plan.capacity, closedWeekdays: plan.closed_weekdays, exceptions: [] }, day) : null;
}

/** Returns the usual capacity of each area, once if it is the same in all. */
function usualText(language: Language, evenings: readonly DeskEvening[], usualOf: (area: Area) => number | null): string {
  const texts = evenings.map(({ area }) => capacityText(language, usualOf(area)));
  if (new Set(texts).size <= 1) return texts[0] ?? '';
  return evenings.map(({ area }, index) => `${language.translateData(areaNames[area])}: ${texts[index]}`).join(' · ');
}

function EveningForm({ evening, sameDay, plans, pending, onSave }: EveningFormProps) {
  const language = useLanguage();
  const { t, translateData } = language;
  const { day } = evening;
  const planOf = (wanted: Area) => plans.find((row) => row.area === wanted);
  const plan = planOf(evening.area);
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
  /** The evenings that the form changes. */
  const targets = area === 'all' ? sameDay : [evening];
  const usualOf = (wanted: Area) => usualCapacity(planOf(wanted), day);
  const written = Number(form.values.capacity);
  const capacityIn = (wanted: Area) => ({ plan: usualOf(wanted), number: written > 0 ? written : null, any: null, closed: 0 })[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = kind === 'number' ? form.validate() : { capacity: 0 };
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
          { value: 'plan', label: t('As usual'), hint: usualText(language, targets, usualOf) },
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
      {targets.map((target) => (
        <BookedNotice
          key={target.area}
          evening={target}
          capacity={capacityIn(target.area)}
          title={area === 'all' ? translateData(areaNames[target.area]) : undefined}
        />
      ))}
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Save')}
      </SubmitButton>
    </form>
  );
}

interface BookedNoticeProps {
  evening: DeskEvening;
  /** The capacity that the form would give the evening. Null: any number. */
  capacity: number | null;
  title: string | undefined;
}

/** The orders of an evening that stay although it takes fewer. */
function BookedNotice({ evening, capacity, title }: BookedNoticeProps) {
  const { plural } = useLanguage();
  const { booked, to_collect: toCollect } = evening;
  const collected = booked - toCollect;
  return (
    <>
      {capacity !== null && booked > capacity && (
        <Notice tone="warn" live title={title}>
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
      {capacity === 0 && <DueNotice evenings={[evening]} title={title} />}
    </>
  );
}
