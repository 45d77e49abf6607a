/** How events of orders are stored, in every version so far. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { kindOfEvent } from '../notifications/rules.ts';
import type { NewOrderEvent, OrderEventKind } from './events-contract.ts';
import { insertOrderEvent, listOrderEvents, toEvent } from './events-store.server.ts';

const program = useProgram();

type Content<Kind extends OrderEventKind> = Omit<Extract<NewOrderEvent, { kind: Kind }>, 'at' | 'kind'>;

/** Every kind, with all its content and with as little as it can have. */
const SAMPLES: { [Kind in OrderEventKind]: readonly Content<Kind>[] } = {
  placed: [{}],
  weighed: [
    { weightGrams: 7530, items: 12, bags: 2, isAtDoor: true, reason: 'The basket was on the scale' },
    { weightGrams: 7530, items: 12, isAtDoor: false },
  ],
  moved: [{ stage: 'queue' }, { stage: 'delivery' }, { stage: 'delivered' }, { stage: 'delivered', reason: 'The guard took it' }],
  'moved-back': [{ stage: 'delivery', reason: 'A mistake' }, { stage: 'queue' }],
  photographed: [{ photoId: 'photo' }],
  'wrong-code': [{}],
  'code-locked': [{}],
  'code-renewed': [{}],
  attempted: [{ why: 'nobody-home', visitedAt: new Date('2026-11-21T13:10:00Z') }, { why: 'other' }],
  'delivery-chosen': [{ deliveryDay: '2026-11-23', reason: 'The van is broken' }, { deliveryDay: '2026-11-24' }],
  'bags-counted': [{}],
  'bags-explained': [{}],
  assigned: [{ riderId: 'person' }, { riderId: null }],
  cancelled: [
    { by: 'laundry', refundPaise: 100, reason: 'The dryer is broken' },
    { by: 'customer', refundPaise: 0 },
  ],
  'cancellation-undone': [{ by: 'customer' }, {}],
  returned: [{}, { reason: 'The guard took them' }],
  'return-undone': [{}, { reason: 'The wrong bag' }],
  refunded: [{ amountPaise: 100 }],
  'refund-reversed': [{ amountPaise: 100 }],
  rescheduled: [
    { pickupDay: '2026-11-25', fromDay: '2026-11-24', by: 'laundry', reason: 'The van is broken' },
    { pickupDay: '2026-11-26', by: 'customer' },
  ],
  paid: [{ reference: 'payment' }],
  'payment-begun': [{ reference: 'payment' }],
  'payment-reported': [{ reference: 'payment' }],
  'payment-dismissed': [
    { reference: 'payment', amountPaise: 100, reason: 'Not on the statement' },
    { reference: 'payment', amountPaise: 100 },
  ],
  'payment-failed': [{ reference: 'payment' }],
  'payment-reversed': [
    { reference: 'payment', amountPaise: 100, cash: 'never-received', reason: 'Another order' },
    { reference: 'payment', cash: 'given-back' },
    { reference: 'payment' },
  ],
  'claim-message': [
    { claimId: 'claim', by: 'laundry', settledPaise: 100 },
    { claimId: 'claim', by: 'laundry' },
    { claimId: 'claim', by: 'customer' },
  ],
  'claim-assigned': [
    { claimId: 'claim', personId: 'person' },
    { claimId: 'claim', personId: null },
  ],
};

const samples = Object.entries(SAMPLES).flatMap(([kind, contents]) =>
  contents.map((content) => ({ kind, ...content, at: new Date('2026-11-21T14:00:00Z') }) as NewOrderEvent),
);

test('an event is read as it was written, and queues a message if its kind has one', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  await transaction(program.db, async (tx) => {
    for (const event of samples) await insertOrderEvent(tx, orderid, event);
  });
  const [, ...events] = await listOrderEvents(program.db, orderid);
  expect(events.map(({ id: _id, stage: _stage, ...event }) => event)).toEqual(samples.map(({ ...event }) => withoutStage(event)));
  const { rows } = await sql<{ event_id: number }>`select event_id from notifications order by event_id`.execute(program.db);
  const queued = new Set(rows.map(({ event_id }) => event_id));
  for (const event of events) expect({ event, isQueued: queued.has(event.id) }).toEqual({ event, isQueued: kindOfEvent(event) !== null });
});

const withoutStage = ({ stage: _stage, ...event }: NewOrderEvent & { stage?: unknown }) => event;

test('rows of older versions are read', () => {
  const row = { id: 1, stage: null, at: new Date('2026-11-21T14:00:00Z') };
  const recorded = { ...row };
  const readings = [
    // The format of the first events.
    [
      { kind: 'weighed', data: { weight_grams: 7530, items: 12 } },
      { kind: 'weighed', weightGrams: 7530, items: 12, isAtDoor: false },
    ],
    [
      { kind: 'weighed', data: { weight_grams: 7530, items: 12, bags: 2, at_door: 1 } },
      { kind: 'weighed', weightGrams: 7530, items: 12, bags: 2, isAtDoor: true },
    ],
    // Without the day before and without who moved it.
    [
      { kind: 'rescheduled', data: { pickup_day: '2026-11-25' } },
      { kind: 'rescheduled', pickupDay: '2026-11-25' },
    ],
    // Without the time at the door.
    [
      { kind: 'attempted', data: { why: 'nobody-home' } },
      { kind: 'attempted', why: 'nobody-home' },
    ],
    [
      { kind: 'assigned', data: { rider_id: '' } },
      { kind: 'assigned', riderId: null },
    ],
    // Without the words that the erasure of an account removed.
    [
      { kind: 'cancelled', data: { by: 'laundry', refund_paise: 0 } },
      { kind: 'cancelled', by: 'laundry', refundPaise: 0 },
    ],
    // An event of a newer version that runs during an upgrade.
    [
      { kind: 'folded', data: { shirts: 3 } },
      { kind: 'unknown', name: 'folded' },
    ],
  ] as const;
  for (const [stored, content] of readings) expect(toEvent({ ...row, ...stored })).toEqual({ ...recorded, ...content });
  expect(toEvent({ ...row, kind: 'moved', stage: 'queue', data: {} })).toMatchObject({ kind: 'moved', stage: 'queue' });
});
