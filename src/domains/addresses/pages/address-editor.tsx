import { useId, type ReactNode, type SyntheticEvent } from 'react';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useForm } from '../../../browser/form.ts';
import { addressFieldErrors, SERVED_PLACE, type AddressFields, type AddressForm } from '../contract.ts';

/** The defaults of a new address: the one place that is served, and nothing else (specification section 3). */
const EMPTY: AddressForm = { name: '', mobile: '', address1: '', address2: '', landmark: '', ...SERVED_PLACE };

const LONGEST = 200;

interface AddressEditorProps {
  /** The same fields everywhere; the edit form says one thing in other words. */
  rules: AddressFields;
  initial?: AddressForm;
  pending: boolean;
  /** Why the last saving was refused, where no field is to blame. */
  refusal: ErrorMessage | null;
  onSave(address: AddressForm): void;
  /** Saving was tried with a field that breaks its rule. */
  onInvalid?(): void;
  /** What stands beside Save. */
  cancel: ReactNode;
}

/** The one form for an address, saved or a guest's: nothing leaves it before every field passes. Specification section 5. */
export function AddressEditor({ rules, initial = EMPTY, pending, refusal, onSave, onInvalid, cancel }: AddressEditorProps) {
  const { t, formatMessage, translateData } = useLanguage();
  const form = useForm(rules, initial, addressFieldErrors);
  const placeHint = useId();
  const [city, state] = [form.field('city'), form.field('state')];

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const address = form.validate();
    if (address) onSave(address);
    else onInvalid?.();
  };

  return (
    <form method="post" noValidate onSubmit={submit} className="@container space-y-6">
      <div className="grid gap-5 @sm:grid-cols-2">
        <TextField label={t('Name')} {...form.field('name')} autoComplete="name" maxLength={LONGEST} />
        <MobileField label={t('Mobile')} {...form.field('mobile')} />
        <TextField label={t('Address 1')} {...form.field('address1')} autoComplete="address-line1" maxLength={LONGEST} />
        <TextField label={t('Address 2')} {...form.field('address2')} autoComplete="address-line2" maxLength={LONGEST} />
        <div className="@sm:col-span-2">
          <TextField label={t('Landmark')} {...form.field('landmark')} autoComplete="address-line3" maxLength={LONGEST} />
        </div>
      </div>
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
      <FormError text={refusal && formatMessage(refusal)} />
      <div className="grid grid-cols-2 gap-3 @lg:flex @lg:*:min-w-36">
        <SubmitButton variant="primary" pending={pending}>
          {t('Save')}
        </SubmitButton>
        {cancel}
      </div>
    </form>
  );
}
