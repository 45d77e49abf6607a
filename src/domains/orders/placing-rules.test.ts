import { describe, expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import type { Area } from '../catalogue/contract.ts';
import { WITHOUT_LIMITS } from '../evenings/rules.ts';
import type { ActiveOffer } from '../offers/rules.ts';
import { orderError, TIMESLOT, type OrderRequest } from './contract.ts';
import { checkOrderRequest, type OfferedProgram } from './placing-rules.ts';

describe('checkOrderRequest', () => {
  const evenings = { manesar: WITHOUT_LIMITS, vatika: WITHOUT_LIMITS };
  const now = new Date('2026-11-21T05:00:00Z');
  const wash: OfferedProgram = {
    baseRatePaise: asPaise(3800),
    surcharges: [
      { area: 'manesar', surchargePaise: asPaise(0) },
      { area: 'vatika', surchargePaise: asPaise(1000) },
    ],
  };
  const offer: ActiveOffer = { id: 'O15', percent: 15 };
  const request: OrderRequest = {
    timeslot: TIMESLOT,
    pickup_date: '2026-11-21',
    program: 'wash',
    programrate: asPaise(4800),
    orderrate: asPaise(4800),
    area: 'vatika',
    detergent: 'surfexcel',
    conditioner: 'softtouch',
    iron: '',
  };
  const vatika = { area: 'vatika', surchargePaise: 1000, ratePaise: 4800, orderRatePaise: 4800, pickupDay: '2026-11-21' };
  const manesar = { area: 'manesar', surchargePaise: 0, ratePaise: 3800, orderRatePaise: 3800, pickupDay: '2026-11-21' };
  test.each<[string, Partial<Record<keyof OrderRequest, unknown>>, ActiveOffer | null, object]>([
    ['an order as shown', {}, null, { quote: vatika }],
    ['no area: the one with the rate', { area: undefined }, null, { quote: vatika }],
    ['no area: the other one with the rate', { area: undefined, programrate: 3800, orderrate: 3800 }, null, { quote: manesar }],
    ['no area has that rate', { area: undefined, programrate: 3900, orderrate: 3900 }, null, { error: orderError('rates-changed') }],
    ['the rate of the other area', { programrate: 3800, orderrate: 3800 }, null, { error: orderError('rates-changed') }],
    ['a paisa less', { programrate: 4799, orderrate: 4799 }, null, { error: orderError('rates-changed') }],
    ['a paisa more', { programrate: 4801, orderrate: 4801 }, null, { error: orderError('rates-changed') }],
    ['a negative rate', { programrate: -4800, orderrate: -4800 }, null, { error: orderError('rates-changed') }],
    ['a reduced order rate', { orderrate: 1 }, null, { error: orderError('rates-changed') }],
    [
      'an offer, applied to base and surcharge',
      { offerid: 'O15', offerrate: 15, orderrate: 4080 },
      offer,
      { quote: { ...vatika, orderRatePaise: 4080 } },
    ],
    ['an offer that the customer did not see', {}, offer, { error: orderError('offer-changed') }],
    ['an expired offer', { offerid: 'O15', offerrate: 15, orderrate: 4080 }, null, { error: orderError('offer-changed') }],
    ['another’s offer', { offerid: 'O99', offerrate: 15, orderrate: 4080 }, offer, { error: orderError('offer-changed') }],
    ['more percent than the offer has', { offerid: 'O15', offerrate: 16, orderrate: 4032 }, offer, { error: orderError('offer-changed') }],
    ['an offer, and the rate without it', { offerid: 'O15', offerrate: 15 }, offer, { error: orderError('rates-changed') }],
    ['percent without an offer', { offerrate: 15, orderrate: 4080 }, null, { error: orderError('offer-changed') }],
    ['an empty offer is none', { offerid: '', offerrate: 0 }, null, { quote: vatika }],
    ['another slot', { timeslot: '06:00 - 07:00 AM' }, null, { error: orderError('unknown-timeslot') }],
    ['no day named', { pickup_date: undefined }, null, { quote: vatika }],
    ['a day that is closed', { pickup_date: '2026-11-20' }, null, { error: orderError('pickup-moved', { pickupDay: '2026-11-21' }) }],
    ['a day that was chosen', { pickup_date: '2026-11-24' }, null, { quote: { ...vatika, pickupDay: '2026-11-24' } }],
    ['a day that is too far', { pickup_date: '2026-11-28' }, null, { error: orderError('pickup-day-too-far', { lastDay: '2026-11-27' }) }],
    ['steam for Wash', { iron: 'steam' }, null, { error: orderError('wrong-options') }],
    ['an order without conditioner', { conditioner: '' }, null, { quote: vatika }],
  ])('returns a quote or an error for %s', (_what, change, activeOffer, outcome) => {
    const check = checkOrderRequest(
      { ...request, ...change } as OrderRequest,
      { program: wash, offer: activeOffer, addressArea: null, evenings },
      now,
    );
    expect(check).toEqual(outcome);
  });

  const base = { programrate: asPaise(3800), orderrate: asPaise(3800) };
  const equalRates: OfferedProgram = { ...wash, surcharges: wash.surcharges.map(({ area }) => ({ area, surchargePaise: asPaise(0) })) };
  test.each<[string, Partial<OrderRequest>, Area, OfferedProgram, object]>([
    ['the area of the order', {}, 'vatika', wash, { quote: vatika }],
    ['another area than the order', {}, 'manesar', wash, { error: orderError('area-mismatch') }],
    ['another area, and the rate is stale', { orderrate: asPaise(1) }, 'manesar', wash, { error: orderError('area-mismatch') }],
    ['the area of the rate, without an area', { area: undefined }, 'vatika', wash, { quote: vatika }],
    ['another area than that of the rate', { area: undefined, ...base }, 'vatika', wash, { error: orderError('area-mismatch') }],
    ['one of two areas with the rate', { area: undefined, ...base }, 'vatika', equalRates, { quote: { ...manesar, area: 'vatika' } }],
  ])('returns a quote or an error for an address in %s', (_what, change, addressArea, program, outcome) => {
    expect(checkOrderRequest({ ...request, ...change }, { program, offer: null, addressArea, evenings }, now)).toEqual(outcome);
  });

  test('rejects an unknown program', () => {
    expect(checkOrderRequest(request, { program: null, offer: null, addressArea: null, evenings }, now)).toEqual({
      error: orderError('unknown-program'),
    });
  });

  test.each([
    ['iron', { detergent: 'surfexcel', conditioner: '', iron: 'steam' }],
    ['dry-clean', { detergent: '', conditioner: 'softtouch', iron: '' }],
  ])('rejects options that %s does not have', (program, chosen) => {
    const inputs = { program: wash, offer: null, addressArea: null, evenings };
    expect(checkOrderRequest({ ...request, program, ...chosen } as OrderRequest, inputs, now)).toEqual({
      error: orderError('wrong-options'),
    });
  });
});
