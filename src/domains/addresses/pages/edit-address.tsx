import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { buttonLook } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { links } from '../../../browser/links.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import { addressMessages as messages, editAddress, editedAddressFields } from '../contract.ts';
import type { Route } from './+types/edit-address.ts';
import { AddressEditor } from './address-editor.tsx';
import { AddressFormPage, WaitingForm } from './address-form-page.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import type { PageHandle } from '../../../site/page-meta.tsx';
import { useAddress } from './loading.ts';
import { useSaving } from './saving.ts';

export const handle: PageHandle = {
  meta: (t, { brand }) => [{ title: `${t('Edit address')} · ${brand.name}` }, { name: 'robots', content: 'noindex' }],
};

export default function EditAddressPage({ params: { addressid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  return (
    <AddressFormPage title={t('Edit address')}>
      <RequireLogin after="addressesToLogin" waiting={<WaitingForm />}>
        {({ userid }) => <EditAddress key={addressid} userid={userid} addressid={addressid} />}
      </RequireLogin>
    </AddressFormPage>
  );
}

function EditAddress({ userid, addressid }: { userid: string; addressid: string }) {
  const { t } = useLanguage();
  const { loaded, retry } = useAddress(userid, addressid);
  const { pending, refusal, save } = useSaving(editAddress, { done: messages.updated, doneMs: 5000, failed: messages.updateFailed });

  if (loaded.state === 'loading') return <WaitingForm />;
  if (loaded.state === 'failed') return <LoadingFailed title={t('We could not load this address')} onRetry={retry} />;
  if (loaded.data === null) {
    return (
      <EmptyState
        art={<LostSockArt />}
        title={t(messages.notFound)}
        text={t('It may have been deleted in the meantime.')}
        action={
          <Link to={links.addresses()} className={buttonLook('primary')}>
            {t('See your addresses')}
          </Link>
        }
      />
    );
  }
  return (
    <AddressEditor
      rules={editedAddressFields}
      initial={loaded.data}
      pending={pending}
      refusal={refusal}
      onSave={(address) => void save({ ...address, userid, addressid })}
      cancel={
        <Link to={links.addresses()} className={buttonLook('secondary')}>
          {t('Cancel')}
        </Link>
      }
    />
  );
}
