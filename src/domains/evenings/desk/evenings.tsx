/** The evenings of the next days with what is booked, and the plan of each area. */
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { serverClock } from '../../../browser/server-clock.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { formatClock } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { addDays, kolkataDay } from '../../../lib/dates.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../ui/layout/definition-table.tsx';
import { areaNames, type Area } from '../../catalogue/contract.ts';
import { calendarDay, isChangedMeanwhile, mayCall } from '../../staff/desk/contract.ts';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead, useMe } from '../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { isoWeekday } from '../rules.ts';
import {
  LISTED_DAYS,
  MAX_DAYS_AHEAD,
  eveningMessages,
  listDeskEvenings,
  setEvenings,
  type DeskEvening,
  type DeskPlan,
  type EveningChange,
  type DeskEvenings,
} from './contract.ts';
import { EveningDialog } from './evening-dialog.tsx';
import { capacityText, closedDaysText, formatDayOfWeek, isUnlimited } from './evening-texts.ts';
import { PlanDialog } from './plan-dialog.tsx';

type Open = { dialog: 'plan'; area: Area } | { dialog: 'evening'; area: Area; day: string };

export function Component() {
  const { t } = useLanguage();
  const [params, setParams] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const today = kolkataDay(serverClock.now());
  const named = params.get('from') ?? today;
  const from = calendarDay.safeParse(named).success && named > today ? named : today;
  const query = useQuery<DeskEvenings>({
    queryKey: [from],
    queryFn: ({ signal }) => staffRead(listDeskEvenings, { from }, { signal }),
    onError: (error) => showProblem(error, 'loading the evenings'),
  });
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<EveningChange>({
    async mutationFn(change) {
      const result = await send(setEvenings, change);
      if (result.response !== 'success') return showRefusal(result);
      setOpen(undefined);
      showToast({ theme: 'green', text: eveningMessages.saved });
      await query.refetch();
    },
    onError(error) {
      showProblem(error, 'changing the evenings');
      if (isChangedMeanwhile(error)) void query.refetch();
    },
  });
  const evenings = query.status === 'success' ? query.data.evenings : [];
  const sameDay = open?.dialog === 'evening' ? evenings.filter(({ day }) => day === open.day) : [];
  // As they are now: the forms state what changed while they were open.
  const plans = query.status === 'success' ? query.data.plans : [];
  const openPlan = plans.find(({ area }) => area === open?.area);
  const close = () => setOpen(undefined);
  const save = (change: EveningChange) => void mutate(change);
  return (
    <StaffPage
      width="text"
      title={t('Evenings')}
      text={t('How many orders each evening takes, and when nobody comes. Orders that are booked stay when you change it.')}
    >
      <LoadState
        query={query}
        loading={t('Loading the evenings')}
        failed={t('The evenings could not be loaded')}
        shapes={['order', 'block', 'block']}
      />
      {query.status === 'success' && (
        <>
          <Plans {...query.data} onChange={({ area }) => setOpen({ dialog: 'plan', area })} />
          <Days {...query.data} today={today} onChange={({ area, day }) => setOpen({ dialog: 'evening', area, day })} />
          <DaysAround today={today} from={from} onMove={(day) => setParams(day === today ? {} : { from: day })} />
        </>
      )}
      <PlanDialog open={open?.dialog === 'plan'} plan={openPlan} evenings={evenings} pending={pending} onSave={save} onClose={close} />
      <EveningDialog
        open={open?.dialog === 'evening'}
        evening={sameDay.find(({ area }) => area === open?.area)}
        sameDay={sameDay}
        plans={plans}
        pending={pending}
        onSave={save}
        onClose={close}
      />
    </StaffPage>
  );
}

function Plans({ plans, evenings, onChange }: DeskEvenings & { onChange(plan: DeskPlan): void }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const mayChange = mayCall(useMe().role, 'staff/setslots');
  const hasNoLimit = plans.every(isUnlimited) && evenings.every(({ capacity }) => capacity === null);

  return (
    <section aria-labelledby="plans" className="space-y-4">
      <h2 id="plans" className="text-lg font-bold">
        {t('The usual week')}
      </h2>
      {hasNoLimit && (
        <Notice tone="info" title={t('No evening has a limit yet')}>
          {mayChange
            ? t('Every evening takes any number of orders. Enter a number below, and customers are offered the next free evening.')
            : t('Every evening takes any number of orders.')}
        </Notice>
      )}
      <ul className="grid gap-4 sm:grid-cols-2">
        {plans.map((plan) => (
          <Card as="li" key={plan.area}>
            <div className="flex items-center justify-between gap-3">
              <h3 className="font-semibold">{translateData(areaNames[plan.area])}</h3>
              {mayChange && (
                <Button variant="secondary" size="small" onClick={() => onChange(plan)}>
                  {t('Edit')}
                  <span className="sr-only"> {translateData(areaNames[plan.area])}</span>
                </Button>
              )}
            </div>
            <div className="mt-1 -mb-3">
              <DefinitionTable
                rows={[
                  { label: t('Each evening'), value: capacityText(language, plan.capacity) },
                  { label: t('Same day until'), value: formatClock(language, plan.cut_off) },
                  { label: t('Closed on'), value: closedDaysText(language, plan) },
                ]}
              />
            </div>
          </Card>
        ))}
      </ul>
    </section>
  );
}

interface DaysProps extends DeskEvenings {
  today: string;
  onChange(evening: DeskEvening): void;
}

function Days({ plans, evenings, today, onChange }: DaysProps) {
  const language = useLanguage();
  const { t } = language;
  const days = [...new Set(evenings.map(({ day }) => day))];
  return (
    <section aria-labelledby="days" className="space-y-4">
      <h2 id="days" className="text-lg font-bold">
        {t('The next evenings')}
      </h2>
      <ul className="space-y-3">
        {days.map((day) => (
          <Card as="li" key={day}>
            <h3 className="font-semibold">
              {formatDayOfWeek(language, day, isoWeekday(day))}
              {day === today && <span className="ms-2 font-medium text-ink-soft">{t('Today')}</span>}
            </h3>
            <ul className="mt-1 -mb-3 grid gap-x-8 divide-y divide-line sm:grid-cols-2 sm:divide-y-0">
              {plans.map((plan) => {
                const evening = evenings.find((row) => row.day === day && row.area === plan.area);
                return evening && <EveningLine key={plan.area} evening={evening} onChange={() => onChange(evening)} />;
              })}
            </ul>
          </Card>
        ))}
      </ul>
    </section>
  );
}

function EveningLine({ evening, onChange }: { evening: DeskEvening; onChange(): void }) {
  const { t, plural, translateData, day: formatDay } = useLanguage();
  const { area, day, capacity, booked, is_exception: isException } = evening;
  const name = translateData(areaNames[area]);
  const isFull = capacity !== null && capacity > 0 && booked >= capacity;
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          {capacity === 0 && <Badge tone={booked > 0 ? 'bad' : 'plain'}>{t('Closed')}</Badge>}
          {isFull && <Badge tone="warn">{t('Full')}</Badge>}
          {isException && <Badge tone="accent">{t('Changed')}</Badge>}
        </p>
        <Link to={staffLinks.orders({ area, day })} className={`${standaloneLinkStyles} -mt-2.5 -mb-3 text-sm tabular-nums`}>
          {capacity === null || capacity === 0
            ? plural(booked, { one: '{count} order booked', other: '{count} orders booked' }, { count: booked })
            : t('{booked} of {capacity} booked', { booked, capacity })}
          <span className="sr-only">
            {' '}
            {name}, {formatDay(day)}
          </span>
        </Link>
      </div>
      {mayCall(useMe().role, 'staff/setslots') && (
        <Button variant="secondary" size="small" onClick={onChange}>
          {t('Edit')}
          <span className="sr-only">
            {' '}
            {name}, {formatDay(day)}
          </span>
        </Button>
      )}
    </li>
  );
}

function DaysAround({ today, from, onMove }: { today: string; from: string; onMove(day: string): void }) {
  const { t } = useLanguage();
  const [earlier, later] = [addDays(from, -LISTED_DAYS), addDays(from, LISTED_DAYS)];
  return (
    <div className="flex flex-wrap justify-between gap-3">
      {from > today && (
        <Button variant="secondary" onClick={() => onMove(earlier < today ? today : earlier)}>
          {t('Earlier evenings')}
        </Button>
      )}
      {later <= addDays(today, MAX_DAYS_AHEAD) && (
        <div className="ms-auto">
          <Button variant="secondary" onClick={() => onMove(later)}>
            {t('Later evenings')}
          </Button>
        </div>
      )}
    </div>
  );
}
