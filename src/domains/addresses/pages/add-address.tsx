import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import type { SessionUser } from '../../../browser/session-user.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { links } from '../../../shared/links.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { addAddress, addressRules, addressMessages as messages, type AddressForm } from '../contract.ts';
import { AddressEditor } from './address-editor.tsx';
import { AddressFormPage, AddressFormSkeleton } from './address-form-page.tsx';
import { useUnfinishedAddress } from './unfinished-address.ts';
import { useAddressMutation } from './use-address-mutation.ts';

export const handle = unindexedPage(msg('Add new address'));

export default function AddAddressPage() {
  const { t } = useLanguage();
  return (
    <AddressFormPage title={t('Add new address')}>
      <RequireLogin delay="addressesToLogin" fallback={<AddressFormSkeleton />}>
        {(user) => <AddAddress key={user.userid} user={user} />}
      </RequireLogin>
    </AddressFormPage>
  );
}

/** Returns to the list after the address was saved (specification section 4, "Addresses"). */
function AddAddress({ user: { userid, name, mobile } }: { user: SessionUser }) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  const unfinished = useUnfinishedAddress(userid);
  const { pending, formError, mutate: save } = useAddressMutation(addAddress, { done: messages.added, failed: messages.addFailed });

  const add = async (address: AddressForm) => {
    if (!(await save({ ...address, userid }))) return;
    unfinished.discard();
    await navigate(links.addresses(), { replace: true });
  };

  return (
    <AddressEditor
      rules={addressRules}
      initial={unfinished.values ?? { name, mobile }}
      pending={pending}
      formError={formError}
      onSave={(address) => void add(address)}
      onChange={unfinished.store}
      cancel={
        <Link to={links.addresses()} className={buttonStyles('secondary')} onClick={unfinished.discard}>
          {t('Cancel')}
        </Link>
      }
    />
  );
}
