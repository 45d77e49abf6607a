import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { PencilIcon } from '../../../ui/icons/edit.tsx';
import { PinIcon } from '../../../ui/icons/navigation.tsx';
import { tabStorage } from '../../../browser/tab-storage.ts';
import { links, type ReturnState } from '../../../shared/links.ts';
import { ForgetDevice } from '../../accounts/pages/forget-device.tsx';
import { AREAS, type Area } from '../../catalogue/contract.ts';
import { addressRules, type AddressForm } from '../contract.ts';
import { AddressEditor, type AddressValues, type ExternalSubmit } from './address-editor.tsx';
import { AddressLines } from './address-lines.tsx';

interface GuestAddressProps {
  defaultArea: Area | null;
  address: AddressForm | null;
  onChange(address: AddressForm | null): void;
  /** Called when the area in the form changes, and with the area before on Cancel. */
  onArea(area: Area): void;
  external: ExternalSubmit;
}

/** The input that is neither saved nor cancelled. */
const unfinishedForm = tabStorage<AddressValues | null>('guestform', null);

/** True if a guest has typed an address without saving it. */
export const hasUnfinishedGuestForm = () => unfinishedForm.get() !== null;

/**
 * For visitors who are not signed in: a link to the log-in, or a guest address, which stays in the
 * browser tab until the order is placed.
 */
export function GuestAddress({ defaultArea, address, onChange, onArea, external }: GuestAddressProps) {
  const [form, setForm] = useState<'untouched' | 'open' | 'closed'>('untouched');
  const unfinished = unfinishedForm.use();
  const container = useRef<HTMLDivElement>(null);

  // The pressed button was removed with the old content, so the focus moves to the new content.
  useEffect(() => {
    if (form !== 'untouched') container.current?.focus();
  }, [form]);

  return (
    <div ref={container} tabIndex={-1} className="scroll-mt-24">
      {form === 'open' || unfinished ? (
        <GuestForm
          defaultArea={defaultArea}
          initial={unfinished ?? address}
          external={external}
          onSave={(valid) => {
            unfinishedForm.clear();
            onChange(valid);
            setForm('closed');
          }}
          onInvalid={() => onChange(null)}
          onArea={onArea}
          onCancel={() => {
            unfinishedForm.clear();
            setForm('closed');
          }}
        />
      ) : address ? (
        <ChosenAddress address={address} onEdit={() => setForm('open')} onForgotten={() => onChange(null)} />
      ) : (
        <LoginOrGuest onGuest={() => setForm('open')} />
      )}
    </div>
  );
}

function LoginOrGuest({ onGuest }: { onGuest(): void }) {
  const { t } = useLanguage();
  const { pathname, hash } = useLocation();
  return (
    <div className="space-y-4">
      <p className="rounded-card bg-sunk px-4 py-6 text-center text-ink-soft">{t('Before adding address you need to login first')}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Link to={links.login()} state={{ returnTo: pathname + hash } satisfies ReturnState} className={buttonStyles('secondary')}>
          {t('Login/Signup')}
        </Link>
        <Button variant="secondary" onClick={onGuest}>
          {t('Checkout as guest')}
        </Button>
      </div>
    </div>
  );
}

interface GuestFormProps {
  defaultArea: Area | null;
  initial: AddressForm | AddressValues | null;
  external: ExternalSubmit;
  onSave(address: AddressForm): void;
  /**
   * An invalid form turns guest mode off, even if an address was saved before (specification
   * section 4).
   */
  onInvalid(): void;
  onArea(area: Area): void;
  onCancel(): void;
}

function GuestForm({ defaultArea, initial, external, onSave, onInvalid, onArea, onCancel }: GuestFormProps) {
  const { t } = useLanguage();
  const [areaBefore] = useState(defaultArea);
  // The rate of the order follows the form at once.
  const change = (values: AddressValues) => {
    unfinishedForm.set(values);
    const area = AREAS.find((value) => value === values.area);
    if (area && area !== defaultArea) onArea(area);
  };
  const cancel = () => {
    if (areaBefore && areaBefore !== defaultArea) onArea(areaBefore);
    onCancel();
  };
  return (
    <section aria-label={t('Checkout as guest')} className="space-y-4">
      <h3 className="text-lg font-bold">{t('Checkout as guest')}</h3>
      <AddressEditor
        rules={addressRules}
        defaultArea={defaultArea}
        {...(initial && { initial })}
        external={external}
        onChange={change}
        pending={false}
        formError={null}
        onSave={onSave}
        onInvalid={onInvalid}
        cancel={
          <Button variant="secondary" onClick={cancel}>
            {t('Cancel')}
          </Button>
        }
      />
    </section>
  );
}

function ChosenAddress({ address, onEdit, onForgotten }: { address: AddressForm; onEdit(): void; onForgotten(): void }) {
  const { t } = useLanguage();
  return (
    <div className="space-y-2">
      <section
        aria-label={t('Checkout as guest')}
        className="flex items-start gap-3 rounded-card border border-accent-ink bg-accent-soft p-4 ring-1 ring-accent-ink"
      >
        <PinIcon />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{address.name}</p>
          <p className="mt-0.5 text-sm text-ink-soft">
            <AddressLines address={address} />
          </p>
        </div>
        <Button variant="quiet" size="small" icon={<PencilIcon small />} onClick={onEdit}>
          {t('Edit')}
        </Button>
      </section>
      <ForgetDevice onForgotten={onForgotten} />
    </div>
  );
}
