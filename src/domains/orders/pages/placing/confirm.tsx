import { msg } from '../../../../i18n/messages.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { OrderSpinner } from './order-spinner.tsx';
import { useSession } from '../../../../browser/session-user.ts';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import { missingParts, deliveryAddressOf } from '../draft/cart-state.ts';
import { fromHistoryState } from './confirm-entry.ts';
import { useDraft } from '../draft/draft.ts';
import { DraftMissing } from './draft-missing.tsx';
import { GuestVerification } from './guest-verification.tsx';
import { OrderPlaced } from './order-placed.tsx';
import { PlacingOrder } from './placing-order.tsx';
import { PlaceUnlessSamePickup } from './second-pickup.tsx';

export const handle = unindexedPage(msg('Your order'));

/** The page depends on session storage and the history entry, so the document cannot contain it. */
export const clientLoader = () => null;
clientLoader.hydrate = true as const;

export const HydrateFallback = () => (
  <Page>
    <OrderSpinner />
  </Page>
);

/** Places the order when it opens (specification section 4, /confirm). */
export default function Confirm() {
  const entry = fromHistoryState(useLocation().state);
  if (entry?.status === 'placed') {
    return (
      <Page>
        <OrderPlaced order={entry.order} draft={entry.draft} />
      </Page>
    );
  }
  return <Page>{entry ? <PlacingOrder attempt={entry.attempt} /> : <FromDraft />}</Page>;
}

function Page({ children }: { children: ReactNode }) {
  return (
    <PageBody id={MAIN_ID} width="wide">
      {children}
    </PageBody>
  );
}

/** Turns the draft into an attempt; a guest verifies the mobile number first. */
function FromDraft() {
  const draft = useDraft();
  const session = useSession();
  if (session === 'unknown') return <OrderSpinner />;
  const userid = session === 'signed-out' ? null : session.userid;
  const address = deliveryAddressOf(draft, userid);
  if (!address || missingParts(draft, userid).length > 0) return <DraftMissing />;
  if (userid === null) return <GuestVerification draft={draft} mobile={address.mobile} />;
  return <PlaceUnlessSamePickup draft={draft} userid={userid} />;
}
