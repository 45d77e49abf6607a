/** The pickup of an order as a calendar file, outside the calls: a phone opens it from a link. */
import type { FastifyInstance } from 'fastify';
import { calendarPath } from './contract.ts';
import type { OrderRouteDependencies } from './routes.server.ts';
import { isCancelledStage } from './rules.ts';
import { findOrder } from './store.server.ts';

type CalendarDependencies = Pick<OrderRouteDependencies, 'db' | 'clock' | 'authentication' | 'brand' | 'received'>;

export function calendarRoutes(app: FastifyInstance, { db, clock, authentication, brand, received }: CalendarDependencies) {
  app.get<{ Params: { orderid: string } }>(decodeURIComponent(calendarPath(':orderid')), async (request, reply) => {
    const caller = await authentication.findCaller(request);
    const row = caller && (await findOrder(db, caller, request.params.orderid, received));
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    if (!row) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such order');
    const address = [row.ship_address1, row.ship_address2, row.ship_landmark, `${row.ship_city} ${row.ship_pincode}`].join(', ');
    const order = { id: row.id, stage: row.stage, pickupDay: row.pickup_day, address, version: row.version };
    return reply
      .header('content-disposition', `inline; filename="pickup-${row.id}.ics"`)
      .type('text/calendar; charset=utf-8')
      .send(pickupCalendar(order, brand.name, clock.now()));
  });
}

/** The hours of `TIMESLOT` in Asia/Kolkata. */
const PICKUP_HOURS = { from: 17, to: 21 } as const;

interface CalendarOrder {
  id: string;
  stage: string;
  pickupDay: string;
  address: string;
  /** Increases with every change, so that a calendar replaces its earlier entry. */
  version: number;
}

/** Returns the pickup of an order as an iCalendar file (RFC 5545). */
function pickupCalendar({ id, stage, pickupDay: day, address, version }: CalendarOrder, brand: string, now: Date): string {
  const at = (hour: number) => calendarTime(new Date(`${day}T${hour}:00:00+05:30`));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${brand}//EN`,
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:order-${id}@${brand.toLowerCase().replaceAll(/[^a-z\d]/g, '')}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${calendarTime(now)}`,
    `DTSTART:${at(PICKUP_HOURS.from)}`,
    `DTEND:${at(PICKUP_HOURS.to)}`,
    `STATUS:${isCancelledStage(stage) ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${calendarText(`${brand}: pickup of your laundry`)}`,
    `DESCRIPTION:${calendarText(`Order ${id}`)}`,
    `LOCATION:${calendarText(address)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

const calendarTime = (time: Date) => `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const calendarText = (text: string) => text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, String.raw`\n`);

const MAX_LINE_BYTES = 75;

/** Folds a line that is too long. A character of UTF-8 has at most four bytes. */
const foldLine = (line: string) =>
  new TextEncoder().encode(line).length <= MAX_LINE_BYTES ? line : line.replaceAll(/.{18}(?=.)/gsu, (part) => `${part}\r\n `);
