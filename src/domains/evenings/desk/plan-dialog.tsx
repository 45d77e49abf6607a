import { useState, type FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { formatClock } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { areaNames } from '../../catalogue/contract.ts';
import { StaleNotice } from '../../staff/desk/stale-notice.tsx';
import { WEEKDAYS, isoWeekday } from '../rules.ts';
import { cutOff, setEvenings, writtenLimit, type DeskEvening, type DeskPlan, type EveningChange } from './contract.ts';
import { DueNotice } from './due-notice.tsx';
import { capacityText, closedDaysText, weekdayName } from './evening-texts.ts';
import { isSameWeek } from './rules.ts';

const rules = { capacity: writtenLimit, cutOff };

interface PlanDialogProps {
  open: boolean;
  /** The current one. */
  plan: DeskPlan | undefined;
  /** The listed evenings. */
  evenings: readonly DeskEvening[];
  pending: boolean;
  onSave(change: EveningChange): void;
  onClose(): void;
}

/** The usual week of an area. */
export function PlanDialog({ open, plan, evenings, pending, onSave, onClose }: PlanDialogProps) {
  const { t, translateData } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={t('The usual week in {area}', { area: plan ? translateData(areaNames[plan.area]) : '' })}>
      {plan && <PlanForm plan={plan} evenings={evenings} pending={pending} onSave={onSave} />}
    </Dialog>
  );
}

interface PlanFormProps extends Omit<PlanDialogProps, 'open' | 'plan' | 'onClose'> {
  plan: DeskPlan;
}

const toTyped = ({ capacity, cut_off: cutOffTime }: DeskPlan) => ({
  capacity: capacity === null ? '' : String(capacity),
  cutOff: cutOffTime,
});

function PlanForm({ plan, evenings, pending, onSave }: PlanFormProps) {
  const language = useLanguage();
  const { t } = language;
  const [closed, setClosed] = useState<readonly number[]>(plan.closed_weekdays);
  const form = useForm(rules, toTyped(plan), setEvenings.errors);
  /** The plan that the form is based on. */
  const [base, setBase] = useState(plan);
  const [isStale, setStale] = useState(false);
  if (!isSameWeek(base, plan)) {
    const [before, now] = [toTyped(base), toTyped(plan)];
    for (const name of ['capacity', 'cutOff'] as const) if (form.values[name] === before[name]) form.set(name, now[name]);
    if (isSameWeek(base, { ...base, closed_weekdays: [...closed] })) setClosed(plan.closed_weekdays);
    setBase(plan);
    setStale(true);
  }
  const closing = evenings.filter(
    ({ area, day, capacity, is_exception: isException }) =>
      area === plan.area && !isException && capacity !== 0 && closed.includes(isoWeekday(day)),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = form.validate();
    if (!values || pending) return;
    const week = { capacity: values.capacity, cut_off: values.cutOff, closed_weekdays: [...closed] };
    onSave({ action: 'plan', area: plan.area, ...week, before: base });
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      {isStale && (
        <StaleNotice>
          <p>
            {t('Each evening')}: {capacityText(language, plan.capacity)}. {t('Same day until')}: {formatClock(language, plan.cut_off)}.{' '}
            {t('Closed on')}: {closedDaysText(language, plan)}.
          </p>
        </StaleNotice>
      )}
      <TextField
        label={t('Orders each evening')}
        hint={t('Empty: any number')}
        {...form.field('capacity')}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
      />
      <TextField
        type="time"
        label={t('Same day until')}
        hint={t('An order after this time is collected the next day.')}
        {...form.field('cutOff')}
      />
      <WeekdayChoice closed={closed} onChange={setClosed} />
      <DueNotice evenings={closing} />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Save')}
      </SubmitButton>
    </form>
  );
}

function WeekdayChoice({ closed, onChange }: { closed: readonly number[]; onChange(closed: readonly number[]): void }) {
  const language = useLanguage();
  const toggle = (weekday: number) =>
    onChange(closed.includes(weekday) ? closed.filter((other) => other !== weekday) : [...closed, weekday]);
  return (
    <fieldset className="min-w-0 space-y-1.5">
      <legend className="text-sm font-medium">{language.t('Closed on')}</legend>
      <div className="flex flex-wrap gap-2">
        {WEEKDAYS.map((weekday) => (
          <label
            key={weekday}
            className="relative grid min-h-11 min-w-11 place-content-center rounded-full border border-edge bg-surface px-4 text-sm font-semibold has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="checkbox"
              checked={closed.includes(weekday)}
              onChange={() => toggle(weekday)}
              aria-label={weekdayName(language, weekday, 'long')}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span aria-hidden="true">{weekdayName(language, weekday, 'short')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
