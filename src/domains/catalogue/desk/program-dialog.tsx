import { useEffect, useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { fieldErrors, useForm } from '../../../browser/form.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { isChangedMeanwhile } from '../../staff/desk/contract.ts';
import { useAmountError } from '../../staff/desk/amount-error.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaleNotice } from '../../staff/desk/stale-notice.tsx';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { AREAS, areaNames, type Area, type ServiceId } from '../contract.ts';
import { SPECIFIED_SURCHARGES } from '../rules.ts';
import { setProgram, typedRate, typedSurcharge, type DeskProgram, type Prices } from './contract.ts';
import { hasSamePrices } from './rules.ts';
import { SERVICE_NAMES, UNIT, customerRates, rateText } from './rate-texts.ts';

const rules = { rate: typedRate, manesar: typedSurcharge, vatika: typedSurcharge } satisfies Record<'rate' | Area, unknown>;

interface ProgramFormProps {
  id: ServiceId;
  /** The current one. Undefined to offer the service. */
  program: DeskProgram | undefined;
  onSaved(): Promise<void>;
  /** Another person has changed the prices. */
  onConflict(): void;
}

interface ProgramDialogProps extends Omit<ProgramFormProps, 'id'> {
  /** Opens the dialog. */
  id: ServiceId | undefined;
  onClose(): void;
}

/** The rate of a service: first the fields, then the old and the new prices to confirm. */
export function ProgramDialog({ id, onClose, ...rest }: ProgramDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={id !== undefined} onClose={onClose} title={id ? t('Price of {service}', { service: t(SERVICE_NAMES[id]) }) : ''}>
      {id && <ProgramForm id={id} {...rest} />}
    </Dialog>
  );
}

const inRupees = (paise: number) => String(paise / 100);

function toTyped(id: ServiceId, program: DeskProgram | undefined) {
  const surcharges = program?.surcharges ?? SPECIFIED_SURCHARGES[id];
  return { rate: program ? inRupees(program.rate) : '', manesar: inRupees(surcharges.manesar), vatika: inRupees(surcharges.vatika) };
}

function ProgramForm({ id, program, onSaved, onConflict }: ProgramFormProps) {
  const { t, translateData } = useLanguage();
  const amountError = useAmountError();
  const form = useForm(rules, toTyped(id, program), setProgram.errors);
  const [toConfirm, setToConfirm] = useState<Prices>();
  /** The program that the form is based on. */
  const [base, setBase] = useState(program);
  const [isStale, setStale] = useState(false);
  if (!hasSamePrices(base, program)) {
    const [before, now] = [toTyped(id, base), toTyped(id, program)];
    for (const name of ['rate', ...AREAS] as const) if (form.values[name] === before[name]) form.set(name, now[name]);
    setBase(program);
    setStale(true);
    setToConfirm(undefined);
  }
  /** Rendered at once: only a field that is there can have the focus. */
  const showFields = () => flushSync(() => setToConfirm(undefined));
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<Prices>({
    async mutationFn(prices) {
      const result = await send(setProgram, { programid: id, ...prices, before: base ?? null });
      if (result.response === 'success') return onSaved();
      showFields();
      form.setError(result.code === 'impossible-surcharge' ? 'vatika' : 'rate', toErrorMessage(result));
    },
    onError(error) {
      showProblem(error, 'setting a price');
      if (isChangedMeanwhile(error)) onConflict();
    },
  });
  const review = (event: FormEvent) => {
    event.preventDefault();
    const values = form.validate();
    if (!values) return;
    setToConfirm(pricesOf(values));
  };
  if (toConfirm) {
    return (
      <Confirmation
        program={program}
        prices={toConfirm}
        pending={pending}
        onConfirm={() => void mutate(toConfirm)}
        onBack={() => {
          showFields();
          form.focus('rate');
        }}
      />
    );
  }
  const isPossible = Object.keys(fieldErrors(rules, form.values, setProgram.errors)).length === 0;
  const amounts = { prefix: '₹', inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <form method="post" onSubmit={review} noValidate className="space-y-5">
      {isStale && program && (
        <StaleNotice>
          <CurrentPrices program={program} />
        </StaleNotice>
      )}
      <TextField
        label={t('Price of one kilogram')}
        {...form.field('rate')}
        error={amountError(form.values.rate, form.field('rate').error)}
        {...amounts}
        data-autofocus
      />
      {AREAS.map((area) => (
        <TextField
          key={area}
          label={t('Surcharge in {area}', { area: translateData(areaNames[area]) })}
          hint={t('For each kilogram. 0 for none.')}
          {...form.field(area)}
          error={amountError(form.values[area], form.field(area).error)}
          {...amounts}
        />
      ))}
      <Preview prices={isPossible ? pricesOf(toPaiseValues(form.values)) : undefined} />
      <SubmitButton variant="primary" wide pending={false}>
        {t('Compare and save')}
      </SubmitButton>
    </form>
  );
}

function CurrentPrices({ program }: { program: DeskProgram }) {
  const language = useLanguage();
  const { t, rupees, translateData } = language;
  return (
    <ul>
      <li>{t('Price now: {rate}', { rate: rateText(language, program.rate, program.unit) })}</li>
      {AREAS.map((area) => (
        <li key={area}>
          {t('Surcharge in {area}', { area: translateData(areaNames[area]) })}: {rupees(program.surcharges[area])}
        </li>
      ))}
    </ul>
  );
}

/** Returns the amounts in paise. Throws if a field is invalid: call it only for valid values. */
const toPaiseValues = ({ rate, manesar, vatika }: Record<'rate' | Area, string>) => ({
  rate: typedRate.parse(rate),
  manesar: typedSurcharge.parse(manesar),
  vatika: typedSurcharge.parse(vatika),
});

const pricesOf = ({ rate, ...surcharges }: Record<'rate' | Area, Paise>): Prices => ({ rate, surcharges });

/** The texts of the site: without an area on home, and in each area. */
function Preview({ prices }: { prices: Prices | undefined }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const rates = prices && customerRates(prices);
  return (
    <section aria-labelledby="customers-read" className="rounded-card bg-sunk p-4">
      <h3 id="customers-read" className="text-sm font-semibold">
        {t('What customers will read')}
      </h3>
      {rates ? (
        <ul className="mt-2 space-y-1 text-sm">
          <li>{t('from {rate}', { rate: rateText(language, Math.min(...Object.values(rates)), UNIT) })}</li>
          {AREAS.map((area) => (
            <li key={area}>
              {translateData(areaNames[area])}: {rateText(language, rates[area], UNIT)}
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-sm text-ink-soft">{t('Enter possible amounts to see it.')}</p>
      )}
    </section>
  );
}

interface ConfirmationProps {
  program: DeskProgram | undefined;
  prices: Prices;
  pending: boolean;
  onConfirm(): void;
  onBack(): void;
}

function Confirmation({ program, prices, pending, onConfirm, onBack }: ConfirmationProps) {
  const { t, translateData } = useLanguage();
  const before = program && customerRates(program);
  const after = customerRates(prices);
  const heading = useRef<HTMLHeadingElement>(null);
  // A second press of Enter saves nothing, and screen readers go on here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="space-y-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {program ? t('The price until now and the new one') : t('The price of the new service')}
      </h3>
      <p className="text-ink-soft">{t('New orders have it as soon as you save.')}</p>
      <dl className="divide-y divide-line">
        {AREAS.map((area) => (
          <div key={area} className="py-3">
            <dt className="text-sm text-ink-soft">{translateData(areaNames[area])}</dt>
            <dd className="font-semibold tabular-nums">
              <PriceChange before={before?.[area]} after={after[area]} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button variant="secondary" wide onClick={onBack}>
          {t('Back')}
        </Button>
        <Button variant="primary" wide pending={pending} onClick={onConfirm}>
          {t('Save')}
        </Button>
      </div>
    </div>
  );
}

/** '₹38 → ₹42.50 per kg, 12% more'. A mistake of the decimal point shows as 900% more. */
function PriceChange({ before, after }: { before: Paise | undefined; after: Paise }) {
  const language = useLanguage();
  const { t, rupees } = language;
  const text = rateText(language, after, UNIT);
  if (before === undefined) return text;
  if (before === after) {
    return (
      <>
        {text} <span className="font-normal text-ink-soft">{t('unchanged')}</span>
      </>
    );
  }
  const percent = Math.round((Math.abs(after - before) / before) * 100);
  return (
    <>
      <span className="sr-only">{t('Until now')} </span>
      <s className="font-normal text-ink-soft">{rupees(before)}</s> <span aria-hidden="true">→</span>{' '}
      <span className="sr-only">{t('From now on')} </span>
      {text}{' '}
      <span className="font-normal text-ink-soft">
        {after > before ? t('{percent}% more', { percent }) : t('{percent}% less', { percent })}
      </span>
    </>
  );
}
