import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { PickupVanArt } from '../../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { CallRefused } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { links } from '../../../../shared/links.ts';
import { useSession, useSessionUser } from '../../../../browser/session-user.ts';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { ForgetDevice } from '../../../accounts/pages/forget-device.tsx';
import type { AddressForm } from '../../../addresses/contract.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { calendarPath, getOrder, type PlacedOrder } from '../../contract.ts';
import { backBy } from '../../visit-rules.ts';
import type { Draft } from '../draft/cart-state.ts';
import { placedAddressOf } from './confirm-entry.ts';
import { rateRows, pickupRows, programRows } from './order-rows.ts';

/** Thanks the customer and shows the order with the values of the response, not of the draft. */
export function OrderPlaced({ order, draft }: { order: PlacedOrder; draft: Draft }) {
  const language = useLanguage();
  const { t, translateData, day } = language;
  const isGuest = useSession() === 'signed-out';
  const userid = useSessionUser()?.userid;
  const address = placedAddressOf(order.orderid, userid ?? null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const offer = draft.offer && { ...draft.offer, percent: order.offerrate };
  const placed: Draft = { ...draft, area: order.area, pickupDay: order.pickup_date, slotChosen: true, offer };
  return (
    <div className="mx-auto max-w-2xl space-y-6">
      <header className="flex flex-col items-center gap-2 text-center">
        <PickupVanArt />
        <h1 ref={heading} tabIndex={-1} className="text-title font-bold">
          {t('Thank you, your order is placed!')}
        </h1>
        <p className="max-w-prose text-ink-soft">
          {t('Our rider comes on {day}, {timeslot}, weighs and counts your clothes at the door, and brings them back fresh.', {
            day: day(order.pickup_date),
            timeslot: translateData(order.timeslot),
          })}
        </p>
      </header>
      <div className="grid gap-3 sm:grid-cols-2">
        <Link to={links.order(order.orderid)} className={buttonStyles('primary')}>
          {t('View order')}
        </Link>
        <a href={calendarPath(order.orderid)} className={buttonStyles('secondary')}>
          {t('Add to calendar')}
        </a>
        <Link to={links.home()} className={`${buttonStyles('quiet')} sm:col-span-2`}>
          {t('Go to home')}
        </Link>
      </div>
      <Card as="section">
        <h2 className="font-semibold">{t('Order details')}</h2>
        <DefinitionTable
          rows={[
            { label: t('Order No'), value: order.orderid },
            ...programRows(language, placed),
            ...pickupRows(language, placed),
            { label: t('Back by'), value: formatDayTime(language, order.back_by ?? backBy(order.pickup_date)) },
            ...rateRows(language, placed),
          ]}
        />
      </Card>
      {address ? <PlacedAddress address={address} /> : <StoredAddress userid={userid} orderid={order.orderid} />}
      {isGuest && <ForgetDevice />}
    </div>
  );
}

function PlacedAddress({ address }: { address: AddressForm }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Pickup and delivery address')}</h2>
      <address className="mt-2 text-sm text-ink-soft not-italic">
        <span className="block font-medium text-ink">{address.name}</span>
        <AddressLines address={address} />
      </address>
    </Card>
  );
}

/** After a reload, the address is that of the order on the server. */
function StoredAddress({ userid, orderid }: { userid: string | undefined; orderid: string }) {
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }) {
      const result = await fetchSend(getOrder, { userid, orderid }, { signal });
      return result.data?.[0];
    },
    // The rest of the page is complete without it.
    onError: (error) => !(error instanceof CallRefused) && reportProblem(error, { doing: 'loading the address of an order' }),
  });
  return query.status === 'success' && query.data ? <PlacedAddress address={query.data} /> : null;
}
