import { useLanguage } from '../../../../i18n/language.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { TIMESLOT } from '../../contract.ts';
import { deliveryAddressOf } from '../draft/cart-state.ts';
import { formatPickupDay } from '../draft/order-labels.ts';
import { priceRows } from './order-rows.ts';
import type { Attempt } from './unplaced.ts';

/**
 * Service, pickup, address and rate, beside the last question before the order is placed. Short, so
 * that a phone shows the answers too.
 */
export function DraftSummary({ attempt: { draft, userid } }: { attempt: Attempt }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const { service, pickupDay, area } = draft;
  const address = deliveryAddressOf(draft, userid);
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order summary')}</h2>
      <DefinitionTable
        rows={[
          ...(service ? [{ label: t('Wash Program'), value: translateData(service.name) }] : []),
          ...(pickupDay
            ? [
                {
                  label: t('Pickup'),
                  value: (
                    <>
                      <span className="block">{formatPickupDay(language, pickupDay, serverClock.now())}</span>
                      <span className="block">{translateData(TIMESLOT)}</span>
                    </>
                  ),
                },
              ]
            : []),
          ...(address
            ? [
                {
                  label: t('Address'),
                  value: (
                    <>
                      <span className="block">{address.name}</span>
                      <span className="block">
                        {address.address1}, {address.address2}
                      </span>
                      {area !== 'none' && <span className="block">{translateData(areaNames[area])}</span>}
                    </>
                  ),
                },
              ]
            : []),
          ...priceRows(language, draft),
        ]}
      />
    </Card>
  );
}
