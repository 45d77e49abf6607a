/**
 * The pages of the lists of the console. A call returns one page and, as `next`, the cursor of the
 * page after it; null on the last page. Only the server and the console load this file.
 */
import * as z from 'zod/mini';
import { calendarDay } from './contract.ts';

/** The cursor of a list that is sorted by a numeric id. */
export const idCursor = z.optional(z.string().check(z.regex(/^\d{1,15}$/)));

/** The cursor of a list that is sorted by a time and an id. */
export const timeCursor = z.optional(z.string().check(z.regex(/^\d{1,15}\.\w{1,64}$/)));

/** The row after which a page begins. */
export interface TimePosition {
  at: Date;
  id: string;
}

export const toTimeCursor = ({ at, id }: TimePosition): string => `${at.getTime()}.${id}`;

/** Returns the position of a `timeCursor`; undefined for the first page. */
export function fromTimeCursor(cursor: string | undefined): TimePosition | undefined {
  const [milliseconds, id = ''] = cursor?.split('.') ?? [];
  return milliseconds === undefined ? undefined : { at: new Date(Number(milliseconds)), id };
}

const DAY_LENGTH = 10;

/**
 * The cursor of a list that is sorted by a day, a time and an id. Processes of an older version
 * sort by the day and the id: their cursors have no time.
 */
export const dayCursor = z.optional(
  z.string().check(
    z.regex(/^.{10}\.(?:\d{1,15}\.)?\w{1,64}$/),
    z.refine((text) => z.safeParse(calendarDay, text.slice(0, DAY_LENGTH)).success),
  ),
);

/** The row after which a page begins. `day` is `YYYY-MM-DD`. */
export interface DayPosition extends TimePosition {
  day: string;
}

export const toDayCursor = ({ day, ...position }: DayPosition): string => `${day}.${toTimeCursor(position)}`;

/**
 * Returns the position of a `dayCursor`; undefined for the first page, which a cursor without
 * a time repeats.
 */
export function fromDayCursor(cursor: string | undefined): DayPosition | undefined {
  const [day, milliseconds, id] = cursor?.split('.') ?? [];
  return day === undefined || id === undefined ? undefined : { day, at: new Date(Number(milliseconds)), id };
}

/**
 * Returns the first `size` rows and the cursor of the next page. `rows` has one row more than
 * `size` if there is a next page.
 */
export function toPage<Row>(rows: readonly Row[], size: number, toCursor: (last: Row) => string): { page: Row[]; next: string | null } {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return { page, next: last === undefined ? null : toCursor(last) };
}
