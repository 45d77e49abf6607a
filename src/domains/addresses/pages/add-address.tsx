import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../languages/language.tsx';
import { buttonLook } from '../../../ui/button-look.ts';
import { LoginGate } from '../../../web/login-gate.tsx';
import { links } from '../../../web/links.ts';
import { site } from '../../../web/site.ts';
import type { PageHandle } from '../../../web/page-meta.tsx';
import { addAddress, addressFields, addressMessages as messages, type AddressForm } from '../contract.ts';
import { AddressEditor } from './address-editor.tsx';
import { AddressFormPage, WaitingForm } from './address-form-page.tsx';
import { useSaving } from './saving.ts';

export const handle: PageHandle = {
  meta: (t) => [{ title: `${t('Add new address')} · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }],
};

export default function AddAddressPage() {
  const { t } = useLanguage();
  return (
    <AddressFormPage title={t('Add new address')}>
      <LoginGate after="addressesToLogin" waiting={<WaitingForm />}>
        {({ userid }) => <AddAddress userid={userid} />}
      </LoginGate>
    </AddressFormPage>
  );
}

function AddAddress({ userid }: { userid: string }) {
  const { t } = useLanguage();
  const [added, setAdded] = useState(0);
  const { pending, refusal, save } = useSaving(addAddress, { done: messages.added, failed: messages.addFailed });

  const add = async (address: AddressForm) => {
    if (await save({ ...address, userid })) setAdded(added + 1);
  };

  return (
    <AddressEditor
      // A new key is an empty form again.
      key={added}
      rules={addressFields}
      pending={pending}
      refusal={refusal}
      onSave={(address) => void add(address)}
      cancel={
        <Link to={links.addresses()} className={buttonLook('secondary')}>
          {t('Cancel')}
        </Link>
      }
    />
  );
}
