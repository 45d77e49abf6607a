/**
 * The past of a sample laundry, in the order of time. Prices, pickup days, amounts and deadlines
 * come from the rules of the product.
 */
import { addSeconds, DAY_SECONDS } from '../../src/lib/clock.ts';
import { startOfKolkataDay } from '../../src/lib/dates.ts';
import type { AddRow } from './copy-rows.ts';
import { createDraws } from './draws.ts';
import { createRandom } from './random.ts';
import { liveOrder, type SampleProgram } from './sample-order.ts';
import { joinPerson, type Person } from './sample-person.ts';

export interface SampleLaundry {
  orders: number;
  /** The number of days that the orders are spread over. The last one is that of `until`. */
  days: number;
  seed: number;
  /** The present. */
  until: Date;
  programs: readonly SampleProgram[];
  /** The number of the first person. */
  firstPerson: number;
  passwordHash: string;
}

const HOUR = 60 * 60;

/** The orders of each hour in Asia/Kolkata, relative. */
const HOURS = [6, 3, 1, 1, 1, 5, 14, 34, 60, 84, 90, 82, 70, 60, 56, 60, 56, 58, 62, 60, 54, 42, 26, 15];
/** Sunday to Saturday, relative. */
const WEEKDAYS = [14, 11, 9, 9, 9, 10, 13];

/** Adds the rows. Yields the number of orders after each order. */
export function* liveLaundry({ orders, days, seed, until, programs, firstPerson, passwordHash }: SampleLaundry, add: AddRow) {
  const draws = createDraws(createRandom(seed + firstPerson));
  const people: Person[] = [];
  const living = { draws, add, programs, until };

  const join = (time: Date) => {
    const at = draws.after(time, -HOUR, -300);
    const referrer = people.length > 0 && draws.perMille(200) ? draws.pick(people) : undefined;
    const person = joinPerson({ draws, add, passwordHash, number: firstPerson + people.length, referrer, at });
    people.push(person);
    return person;
  };

  /** Returns a person without an open order. People who joined early order more often. */
  const findFree = (time: Date) => {
    for (let tries = 0; tries < 8 && people.length > 0; tries += 1) {
      const person = people[Math.min(draws.below(people.length), draws.below(people.length))];
      if (person && person.freeFrom <= time && (!person.isGuest || draws.perMille(100))) return person;
    }
    return undefined;
  };

  const timeOn = (dayStart: Date) => {
    const time = addSeconds(dayStart, draws.weighted(HOURS) * HOUR + draws.below(HOUR));
    return time <= until ? time : addSeconds(dayStart, draws.below(Math.floor((until.getTime() - dayStart.getTime()) / 1000) + 1));
  };

  let placed = 0;
  for (const { dayStart, count } of ordersByDay(orders, days, until)) {
    const times = Array.from({ length: count }, () => timeOn(dayStart)).toSorted((one, other) => one.getTime() - other.getTime());
    for (const time of times) {
      const person = draws.perMille(40) ? join(time) : (findFree(time) ?? join(time));
      person.freeFrom = addSeconds(liveOrder(living, person, time), 12 * HOUR);
      yield (placed += 1);
    }
  }
  for (const { id, balancePaise, hasWallet } of people) {
    if (hasWallet) add('ledger_accounts', { id: `wallet:${id}`, customer_id: id, balance_paise: balancePaise });
  }
}

/** The laundry grows to three times the orders of its first day, and has more on weekends. */
function ordersByDay(orders: number, days: number, until: Date): { dayStart: Date; count: number }[] {
  const list = Array.from({ length: days }, (_, index) => {
    const dayStart = startOfKolkataDay(addSeconds(until, (index + 1 - days) * DAY_SECONDS));
    const share = (index + 1 === days ? (until.getTime() - dayStart.getTime()) / (DAY_SECONDS * 1000) : 1) * (1 + (2 * index) / days);
    // 12 hours later it is the same day in UTC and in Asia/Kolkata.
    return { dayStart, share: share * (WEEKDAYS[addSeconds(dayStart, DAY_SECONDS / 2).getUTCDay()] ?? 0) };
  });
  const total = list.reduce((sum, { share }) => sum + share, 0);
  let before = 0;
  return list.map(({ dayStart, share }) => {
    const [first, last] = [before, before + (orders * share) / total];
    before = last;
    return { dayStart, count: Math.round(last) - Math.round(first) };
  });
}
