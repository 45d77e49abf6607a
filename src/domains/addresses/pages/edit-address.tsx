import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { TOAST_MS } from '../../../ui/feedback/toast.ts';
import { links } from '../../../shared/links.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { addressError, addressMessages as messages, editAddress, editedAddressRules, type AddressForm } from '../contract.ts';
import type { Route } from './+types/edit-address.ts';
import { AddressEditor } from './address-editor.tsx';
import { AddressFormPage, AddressFormSkeleton } from './address-form-page.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { useUnfinishedAddress } from './unfinished-address.ts';
import { useAddressMutation } from './use-address-mutation.ts';
import { useAddress } from './use-addresses.ts';

export const handle = unindexedPage(msg('Edit address'));

export default function EditAddressPage({ params: { addressid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  return (
    <AddressFormPage title={t('Edit address')}>
      <RequireLogin delay="addressesToLogin" fallback={<AddressFormSkeleton />}>
        {({ userid }) => <EditAddress key={addressid} userid={userid} addressid={addressid} />}
      </RequireLogin>
    </AddressFormPage>
  );
}

/** Returns to the list after the address was saved, as the add form does. */
function EditAddress({ userid, addressid }: { userid: string; addressid: string }) {
  const { t, formatMessage } = useLanguage();
  const navigate = useNavigate();
  const query = useAddress(userid, addressid);
  const alerts = { done: messages.updated, doneMs: TOAST_MS.long, failed: messages.updateFailed };
  const { pending, formError, mutate: save } = useAddressMutation(editAddress, alerts);
  const unfinished = useUnfinishedAddress(userid, addressid);

  const edit = async (address: AddressForm) => {
    if (!(await save({ ...address, userid, addressid }))) return;
    unfinished.discard();
    await navigate(links.addresses(), { replace: true });
  };

  if (query.status === 'loading') return <AddressFormSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load this address')} onRetry={query.retry} />;
  if (query.data === null) {
    return (
      <EmptyState
        art={<LostSockArt />}
        title={formatMessage(addressError('address-not-found'))}
        text={t('It may have been deleted in the meantime.')}
        action={
          <Link to={links.addresses()} className={buttonStyles('primary')}>
            {t('See your addresses')}
          </Link>
        }
      />
    );
  }
  return (
    <AddressEditor
      rules={editedAddressRules}
      initial={unfinished.values ?? query.data}
      pending={pending}
      formError={formError}
      onSave={(address) => void edit(address)}
      onChange={unfinished.store}
      cancel={
        <Link to={links.addresses()} className={buttonStyles('secondary')} onClick={unfinished.discard}>
          {t('Cancel')}
        </Link>
      }
    />
  );
}
