/** A calendar file for the pickup of an order, outside the calls: a phone opens it from a link. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import type { Brand } from '../../shared/brand.ts';
import { links } from '../../shared/links.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { calendarPath } from './contract.ts';
import { isCancelledStage } from './rules.ts';
import { SLOT_END_HOUR, SLOT_START_HOUR } from './visit-rules.ts';
import { findOrder, type PaymentsSql } from './store.server.ts';

interface CalendarDependencies {
  db: Db;
  clock: Clock;
  authentication: Authentication;
  brand: Brand;
  /** The URL of the site, for the link to the order. */
  siteUrl: string;
  payments: PaymentsSql;
}

export function calendarRoutes(app: FastifyInstance, { db, clock, authentication, brand, siteUrl, payments }: CalendarDependencies) {
  app.get<{ Params: { orderid: string } }>(decodeURIComponent(calendarPath(':orderid')), async (request, reply) => {
    const caller = await authentication.findCaller(request);
    const row = caller && (await findOrder(db, caller, request.params.orderid, payments));
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    if (!row) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such order');
    const order = {
      id: row.id,
      stage: row.stage,
      pickupDay: row.pickup_day,
      address: [row.ship_address1, row.ship_address2, row.ship_landmark, `${row.ship_city} ${row.ship_pincode}`].join(', '),
      version: row.version,
      url: new URL(links.order(row.id), siteUrl).href,
    };
    return reply
      .header('content-disposition', `inline; filename="pickup-${row.id}.ics"`)
      .type('text/calendar; charset=utf-8')
      .send(pickupCalendar(order, brand, clock.now()));
  });
}

interface CalendarOrder {
  id: string;
  stage: string;
  pickupDay: string;
  address: string;
  /** Increases with every change, so that a calendar replaces its earlier entry. */
  version: number;
  /** The address of its page. */
  url: string;
}

/** Returns the pickup of an order as an iCalendar file (RFC 5545) with a reminder. */
function pickupCalendar(
  { id, stage, pickupDay: day, address, version, url }: CalendarOrder,
  { name, mobile }: Pick<Brand, 'name' | 'mobile'>,
  now: Date,
): string {
  const at = (hour: number) => calendarTime(new Date(`${day}T${hour}:00:00+05:30`));
  const summary = calendarText(`${name}: pickup of your laundry`);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${name}//EN`,
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:order-${id}@${name.toLowerCase().replaceAll(/[^a-z\d]/g, '')}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${calendarTime(now)}`,
    `DTSTART:${at(SLOT_START_HOUR)}`,
    `DTEND:${at(SLOT_END_HOUR)}`,
    `STATUS:${isCancelledStage(stage) ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${summary}`,
    `DESCRIPTION:${calendarText(`Order ${id}\n${url}\nQuestions? Call ${mobile}`)}`,
    `URL:${url}`,
    `LOCATION:${calendarText(address)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT1H',
    `DESCRIPTION:${summary}`,
    'END:VALARM',
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
