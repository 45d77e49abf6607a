import { useEffect, useId, useRef, type ReactNode, type Ref, type SyntheticEvent } from 'react';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { MobileField, mobileHint } from '../../../ui/fields/mobile-field.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useForm, type FormOutput, type FormValues } from '../../../browser/form.ts';
import { MAX_LINE_LENGTH } from '../../../contract/define-call.ts';
import { AREAS, areaNames, type Area } from '../../catalogue/contract.ts';
import { addressFieldErrors, SERVED_LOCATION, type AddressForm, type AddressRules } from '../contract.ts';

/**
 * The defaults of a new address: only the served location is filled in (specification section 3).
 */
const EMPTY = { name: '', mobile: '', address1: '', address2: '', landmark: '', ...SERVED_LOCATION };

/** The input of the form. The area is '' until one is selected. */
export type AddressValues = FormValues<AddressRules>;

interface AddressEditorProps {
  /** The edit form has another error text for the mobile number. */
  rules: AddressRules;
  initial?: Partial<AddressForm> | AddressValues;
  /** Selected initially if the area of `initial` is unknown. */
  defaultArea?: Area | null;
  pending: boolean;
  /** The error of the last save if it belongs to no field. */
  formError: ErrorMessage | null;
  onSave(address: FormOutput<AddressRules>): void;
  /** Called after each change with all values, valid or not. */
  onChange?(values: AddressValues): void;
  /** Called if the customer submits an invalid form. */
  onInvalid?(): void;
  /** The button or link beside Save. */
  cancel: ReactNode;
  /** For a caller that also submits the form with a button of its own. */
  external?: ExternalSubmit;
}

export interface ExternalSubmit {
  /** The form while it is open. */
  form: Ref<HTMLFormElement>;
  /** False if the caller's button is near the form. */
  hasSaveButton: boolean;
}

/**
 * The form of a saved or guest address. Calls `onSave` only if every field is valid. Specification
 * section 5.
 */
export function AddressEditor(props: AddressEditorProps) {
  const { rules, initial, defaultArea, pending, formError, onSave, onChange, onInvalid, cancel, external } = props;
  const { t, formatMessage, translateData } = useLanguage();
  const form = useForm(rules, { ...EMPTY, ...initial, area: initial?.area || defaultArea || '' }, addressFieldErrors);
  const placeHint = useId();
  const reported = useRef(form.values);
  useEffect(() => {
    if (reported.current !== form.values) onChange?.(form.values);
    reported.current = form.values;
  }, [form.values, onChange]);
  const [city, state] = [form.field('city'), form.field('state')];
  const { error: areaError, ref: areaRef } = form.field('area');

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const address = form.validate();
    if (address) onSave(address);
    else onInvalid?.();
  };

  return (
    <form ref={external?.form} method="post" noValidate onSubmit={submit} className="@container space-y-6">
      <p className="text-sm text-ink-soft">{t('Every line needs at least 3 characters.')}</p>
      <div className="grid gap-5 @md:grid-cols-2">
        <TextField
          label={t('Name')}
          hint={t('Our rider asks for this person.')}
          {...form.field('name')}
          autoComplete="name"
          maxLength={MAX_LINE_LENGTH}
        />
        <MobileField label={t('Mobile')} hint={t(mobileHint(form.values.mobile))} {...form.field('mobile')} />
        <TextField
          label={t('Address 1')}
          hint={t('Flat or house number, building')}
          {...form.field('address1')}
          autoComplete="address-line1"
          maxLength={MAX_LINE_LENGTH}
        />
        <TextField
          label={t('Address 2')}
          hint={t('Street, sector or colony')}
          {...form.field('address2')}
          autoComplete="address-line2"
          maxLength={MAX_LINE_LENGTH}
        />
        <div className="@md:col-span-2">
          <TextField
            label={t('Landmark')}
            hint={t('A place nearby that our rider can see')}
            {...form.field('landmark')}
            autoComplete="address-line3"
            maxLength={MAX_LINE_LENGTH}
          />
        </div>
      </div>
      <SegmentedChoice
        legend={t('Area')}
        variant="segments"
        options={AREAS.map((value) => ({ value, label: translateData(areaNames[value]) }))}
        value={form.values.area as Area | ''}
        onChange={(value) => form.set('area', value)}
        error={areaError}
        ref={areaRef}
      />
      <fieldset aria-describedby={placeHint} className="space-y-2">
        <legend className="sr-only">{t('Service area')}</legend>
        <div className="grid gap-x-3 gap-y-5 @[18.5rem]:grid-cols-2 @lg:grid-cols-3">
          <TextField label={t('Pincode')} {...form.field('pincode')} readOnly />
          <TextField label={t('City')} {...city} value={translateData(city.value)} readOnly />
          <TextField label={t('State')} {...state} value={translateData(state.value)} readOnly />
        </div>
        <p id={placeHint} className="text-sm text-ink-soft">
          {t("You can't change pincode, city & state")}
        </p>
      </fieldset>
      <FormError text={formError && formatMessage(formError)} />
      <div className="grid grid-cols-2 gap-3 @lg:flex @lg:*:min-w-36">
        {cancel}
        {external?.hasSaveButton !== false && (
          <SubmitButton variant="primary" pending={pending}>
            {t('Save')}
          </SubmitButton>
        )}
      </div>
    </form>
  );
}
