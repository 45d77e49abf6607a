import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { links } from '../../../shared/links.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { addAddress, addressFields, addressMessages as messages, type AddressForm } from '../contract.ts';
import { AddressEditor } from './address-editor.tsx';
import { AddressFormPage, AddressFormSkeleton } from './address-form-page.tsx';
import { useAddressMutation } from './use-address-mutation.ts';

export const handle = unindexedPage(msg('Add new address'));

export default function AddAddressPage() {
  const { t } = useLanguage();
  return (
    <AddressFormPage title={t('Add new address')}>
      <RequireLogin delay="addressesToLogin" fallback={<AddressFormSkeleton />}>
        {({ userid }) => <AddAddress userid={userid} />}
      </RequireLogin>
    </AddressFormPage>
  );
}

function AddAddress({ userid }: { userid: string }) {
  const { t } = useLanguage();
  const [added, setAdded] = useState(0);
  const { pending, formError, mutate: save } = useAddressMutation(addAddress, { done: messages.added, failed: messages.addFailed });

  const add = async (address: AddressForm) => {
    if (await save({ ...address, userid })) setAdded(added + 1);
  };

  return (
    <AddressEditor
      // A new key resets the form.
      key={added}
      rules={addressFields}
      pending={pending}
      formError={formError}
      onSave={(address) => void add(address)}
      cancel={
        <Link to={links.addresses()} className={buttonStyles('secondary')}>
          {t('Cancel')}
        </Link>
      }
    />
  );
}
