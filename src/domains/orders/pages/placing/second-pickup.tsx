import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { ListPicture } from '../../../../ui/art/screens/list.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { links } from '../../../../shared/links.ts';
import type { Order } from '../../contract.ts';
import { deliveryAddressOf } from '../draft/cart-state.ts';
import { DraftSummary } from './draft-summary.tsx';
import { OrderSpinner } from './order-spinner.tsx';
import { BeginPlacing } from './placing-order.tsx';
import { findSamePickup } from './same-pickup.ts';
import type { Attempt } from './unplaced.ts';

/**
 * Places the order of the draft. Asks first if the customer already has a pickup on the same
 * evening at the same address (docs/decisions/0131).
 */
export function PlaceUnlessSamePickup(attempt: Attempt) {
  const { t } = useLanguage();
  const { draft, userid } = attempt;
  /** Null: none, or the customer wants another. */
  const [same, setSame] = useState<Order | null>();
  useEffect(() => {
    let isCancelled = false;
    void findSamePickup(draft, userid).then((order) => !isCancelled && setSame(order ?? null));
    return () => {
      isCancelled = true;
    };
  }, [draft, userid]);
  if (same === undefined) return <OrderSpinner label={t('Placing your order')} />;
  return same ? <SecondPickupQuestion same={same} attempt={attempt} onPlace={() => setSame(null)} /> : <BeginPlacing {...attempt} />;
}

/** Has the focus when it appears, so that screen readers read it. */
function SecondPickupQuestion({ same, attempt, onPlace }: { same: Order; attempt: Attempt; onPlace(): void }) {
  const { t, day } = useLanguage();
  const region = useRef<HTMLElement>(null);
  useEffect(() => region.current?.focus({ preventScroll: true }), []);
  const title = t('Place another order?');
  return (
    <section ref={region} tabIndex={-1} aria-label={title}>
      <Split
        width="narrow"
        picture={<ListPicture />}
        title={title}
        text={t('You already have a pickup on {day} at {address} (order {orderid}). Place another?', {
          day: day(same.pickup_date),
          address: deliveryAddressOf(attempt.draft, attempt.userid)?.address1 ?? '',
          orderid: same.orderid,
        })}
      >
        <DraftSummary attempt={attempt} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Link to={links.overview()} replace className={buttonStyles('primary')}>
            {t('Do not place it')}
          </Link>
          <Button variant="secondary" onClick={onPlace}>
            {t('Place another')}
          </Button>
        </div>
        <Link to={links.order(same.orderid)} className={buttonStyles('quiet')}>
          {t('View order')}
        </Link>
      </Split>
    </section>
  );
}
