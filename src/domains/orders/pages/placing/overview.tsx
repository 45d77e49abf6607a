import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { BottomBar } from '../../../../ui/layout/bottom-bar.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { OrderSpinner } from './order-spinner.tsx';
import { useKeptFocus } from '../../../../ui/use-kept-focus.ts';
import { links } from '../../../../shared/links.ts';
import { preloadRoute } from '../draft/load-route.ts';
import { useSession } from '../../../../browser/session-user.ts';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { orderMessages } from '../../contract.ts';
import type { Route } from './+types/overview.ts';
import { missingParts, deliveryAddressOf } from '../draft/cart-state.ts';
import { currentDraft, useDraft, type KeyedDraft } from '../draft/draft.ts';
import { DraftMissing } from './draft-missing.tsx';
import { ConnectionNotice, useConnectionWait } from '../draft/connection-wait.tsx';
import { PickupDayButton } from '../draft/pickup-day-button.tsx';
import { EveningNote } from '../draft/evening-note.tsx';
import { estimateSentence } from '../draft/order-labels.ts';
import { useRefreshDraft } from '../draft/refresh-draft.ts';
import { verifiedGuestMobile } from './verified-guest.ts';
import { rateRows, pickupRows, programRows } from './order-rows.ts';
import { ListPicture } from '../../../../ui/art/screens/list.tsx';

export const handle = unindexedPage(msg('Order summary'));

export { clientLoader, loader } from '../draft/services-loader.ts';

/** Shows the order before it is placed (specification sections 2 and 4, /overview). */
export default function Overview({ loaderData: services }: Route.ComponentProps) {
  const draft = useDraft();
  useRefreshDraft(services, draft.service?.programid);
  const session = useSession();
  return (
    <PageBody id={MAIN_ID} width="wide">
      {session === 'unknown' ? <OrderSpinner /> : <Summary draft={draft} userid={session === 'signed-out' ? null : session.userid} />}
    </PageBody>
  );
}

function Summary({ draft, userid }: { draft: KeyedDraft; userid: string | null }) {
  const language = useLanguage();
  const { t } = language;
  const navigate = useNavigate();
  const connection = useConnectionWait(draft.key, () => void navigate(links.confirm(), { replace: true }));
  const actions = useKeptFocus();
  useEffect(() => {
    preloadRoute('confirm');
    // It shows a failure.
    preloadRoute('home');
  }, []);
  const address = deliveryAddressOf(draft, userid);
  if (!address || missingParts(draft, userid).length > 0) return <DraftMissing alert={orderMessages.startAgain} />;
  return (
    <Split width="text" picture={<ListPicture />} title={t('Order summary')} text={t('Please check your order before you place it.')}>
      <Card as="section">
        <DefinitionTable rows={[...programRows(language, draft), ...pickupRows(language, draft), ...rateRows(language, draft)]} />
        <div className="text-sm text-ink-soft">
          <EveningNote draft={draft} />
        </div>
        <PickupDayButton draft={draft} />
      </Card>
      <Card as="section">
        <h2 className="text-sm text-ink-soft">{t('Pickup and delivery address')}</h2>
        <p className="mt-1 font-semibold">{address.name}</p>
        <p className="mt-0.5 text-sm">
          <AddressLines address={address} />
        </p>
      </Card>
      <p className="text-sm text-ink-soft">
        {userid === null && verifiedGuestMobile() !== address.mobile && (
          <strong className="font-semibold text-ink">{t('We verify your mobile number by SMS before we place your order.')} </strong>
        )}
        {estimateSentence(language, draft)}
      </p>
      <BottomBar region={actions}>
        {connection.status === 'waiting' || connection.status === 'failed' ? (
          <ConnectionNotice status={connection.status} onCancel={connection.cancel} onRetry={() => connection.whenOnline(draft.key)} />
        ) : (
          <>
            <Link to={links.stages()} className={buttonStyles('secondary')}>
              {t('Edit details')}
            </Link>
            <Link
              to={links.confirm()}
              replace
              className={buttonStyles('primary')}
              onClick={(event) => {
                event.preventDefault();
                connection.whenOnline(currentDraft().key);
              }}
            >
              {t('Place Order')}
            </Link>
          </>
        )}
      </BottomBar>
    </Split>
  );
}
