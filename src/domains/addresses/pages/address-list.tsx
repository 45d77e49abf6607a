import { Link } from 'react-router';
import { useRef, useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { TOAST_MS } from '../../../ui/feedback/toast.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { links } from '../../../shared/links.ts';
import { RequireLogin } from '../../../site/require-login.tsx';
import type { SessionUser } from '../../../browser/session-user.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { addressError, addressMessages as messages, deleteAddress, type Address } from '../contract.ts';
import { AddressCard } from './address-card.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { useAddressMutation } from './use-address-mutation.ts';
import { useAddresses } from './use-addresses.ts';
import { HousePicture } from '../../../ui/art/screens/house.tsx';

export const handle = unindexedPage(msg('Your addresses'));

export default function AddressListPage() {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="text"
        picture={<HousePicture />}
        title={t('Your addresses')}
        text={t('Where we collect your clothes and bring them back.')}
      >
        <RequireLogin delay="addressesToLogin" fallback={<AddressListSkeleton />}>
          {(user) => <AddressList key={user.userid} user={user} />}
        </RequireLogin>
      </Split>
    </PageBody>
  );
}

function AddressList({ user: { userid } }: { user: SessionUser }) {
  const { t } = useLanguage();
  const query = useAddresses(userid);
  const [toDelete, setToDelete] = useState<Address | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { pending, mutate: remove } = useAddressMutation(deleteAddress, {
    done: messages.deleted,
    doneMs: TOAST_MS.long,
    failed: addressError('address-not-deleted'),
    failedMs: TOAST_MS.long,
  });

  const confirmed = async () => {
    if (!toDelete) return;
    await remove({ userid, addressid: toDelete.addressid });
    setToDelete(null);
    // Also after a failure: another tab may have deleted it already.
    await query.refetch();
    // The button that had the focus was removed with its card.
    list.current?.focus();
  };

  if (query.status === 'loading') return <AddressListSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your addresses')} onRetry={query.retry} />;
  return (
    <div ref={list} tabIndex={-1} className="space-y-6">
      {query.isRefetchError && <LoadingFailed live title={t('We could not load your addresses')} onRetry={query.refetch} />}
      {query.data.length === 0 ? (
        <EmptyState
          art={<EmptyBasketArt />}
          title={t(messages.none)}
          text={t('Save one now and your next order takes a few taps.')}
          action={<AddLink variant="primary" />}
        />
      ) : (
        <div className="space-y-6">
          <AddLink variant="secondary" />
          <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
            {query.data.map((address) => (
              <AddressCard key={address.addressid} address={address} onDelete={() => setToDelete(address)} />
            ))}
          </ul>
        </div>
      )}
      <ConfirmDialog
        open={toDelete !== null}
        title={t('Delete this address?')}
        message={
          toDelete
            ? t('{name}, {address}. Orders that you have placed keep their address.', { name: toDelete.name, address: toDelete.address1 })
            : ''
        }
        confirmLabel={t('Delete')}
        pending={pending}
        error={null}
        onConfirm={() => void confirmed()}
        onCancel={() => setToDelete(null)}
      />
    </div>
  );
}

function AddLink({ variant }: { variant: 'primary' | 'secondary' }) {
  const { t } = useLanguage();
  return (
    <Link to={links.addAddress()} className={buttonStyles(variant)}>
      {t('+ Add New Address')}
    </Link>
  );
}

function AddressListSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your addresses')}>
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <Skeleton shape="card" />
        <Skeleton shape="card" />
      </div>
    </SkeletonGroup>
  );
}
