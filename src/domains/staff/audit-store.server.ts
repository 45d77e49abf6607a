/** The audit of the staff: who changed what, in the transaction of the change. */
import { sql, type SqlBool } from 'kysely';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { countUseSql, readLimit, type LimitUse } from '../../db/limits.server.ts';
import type { Role } from './desk/contract.ts';
import { AUDIT_FIELDS, type AuditAction, type AuditValues, type AuditSubject } from './desk/audit-contract.ts';

export interface AuditRow {
  action: AuditAction;
  subject: readonly [kind: AuditSubject, id: string];
  before?: AuditValues;
  after?: AuditValues;
  /**
   * The amount of the change in the daily limit of the person: the credit, without the money that
   * the customer had paid. Required for every change that credits a customer.
   */
  limitedPaise?: number;
}

/**
 * A person of the staff, or the user of the operating system who ran a command in the terminal.
 * Null for a failed log-in, a caller without a session, and a change by the program itself.
 */
export type AuditAuthor = { id: string } | { commandUser: string } | null;

const FIELDS: ReadonlySet<string> = new Set(AUDIT_FIELDS);
const SECRET = /code|password|token|link|hash/i;

const COLUMNS = sql`at, staff_id, command_user, action, subject_kind, subject_id, before, after`;

/** Returns the values of `COLUMNS`. Throws like `audit`. */
function auditValuesSql(author: AuditAuthor, { action, subject: [kind, id], before = null, after = null }: AuditRow, at: Date) {
  for (const name of [before, after].flatMap((values) => Object.keys(values ?? {}))) {
    invariant(!SECRET.test(name), `the audit holds no secret: ${name}`);
    invariant(FIELDS.has(name), `AUDIT_FIELDS lists every field of the audit: ${name}`);
  }
  const [staffId, commandUser] = [
    author && 'id' in author ? author.id : null,
    author && 'commandUser' in author ? author.commandUser : null,
  ];
  return sql`${at}::timestamptz, ${staffId}::text, ${commandUser}::text, ${action}, ${kind}, ${id}, ${toJson(before)}::jsonb, ${toJson(after)}::jsonb`;
}

/**
 * Records a change in the transaction that makes it. Throws for a credit without `limitedPaise`, a
 * field with the name of a secret, such as the hand-over code, and one that the screen of the audit
 * has no label for.
 */
export async function audit(on: Db, author: AuditAuthor, row: AuditRow, at: Date): Promise<void> {
  const staffId = author && 'id' in author ? author.id : null;
  const { limitedPaise = 0 } = row;
  const isLimited = staffId !== null && (row.after?.credited_paise ?? row.after?.amount_paise) !== undefined;
  invariant(!isLimited || row.limitedPaise !== undefined, `a credit counts in the daily limit: ${row.action}`);
  await sql`with recorded as (insert into staff_audit (${COLUMNS}) values (${auditValuesSql(author, row, at)}) returning id)
    insert into staff_credits (audit_id, staff_id, at, amount_paise)
    select id, ${staffId}, ${at}, ${limitedPaise}::bigint from recorded where ${staffId}::text is not null and ${limitedPaise}::bigint > 0`.execute(
    on,
  );
}

/** Writes an audit row that any caller can cause in any number. Writes nothing beyond the limit. */
export async function auditWithinLimit(on: Db, author: AuditAuthor, row: AuditRow, use: LimitUse): Promise<void> {
  await sql`with counted as (${countUseSql(use)})
    insert into staff_audit (${COLUMNS}) select ${auditValuesSql(author, row, use.now)} from counted`.execute(on);
}

/** A person who sends a refused call or change again and again must not fill the audit. */
const REFUSALS = { max: 100, windowSeconds: 60 * 60 };

/** Records that a person may not make a call, at most `REFUSALS` of them. */
export const auditRefusedCall = (on: Db, staff: { id: string }, { path, error }: { path: string; error: string }, now: Date) =>
  auditWithinLimit(
    on,
    staff,
    { action: 'refused', subject: ['call', path], after: { error } },
    { ...REFUSALS, name: 'refused calls of a person', subject: staff.id, now },
  );

/** Records that a change was refused, with its own limit. The row has nothing else of the body. */
export const auditRefusedChange = (
  on: Db,
  staff: { id: string },
  { subject, ...after }: { subject: AuditRow['subject']; call: string; error: string },
  now: Date,
) => {
  const use = { ...REFUSALS, name: 'refused changes of a person', subject: staff.id, now };
  return auditWithinLimit(on, staff, { action: 'refused', subject, after }, use);
};

const UNAUTHENTICATED_OF_NETWORK = { name: 'audited strangers of a network', max: 5, windowSeconds: 60 };
const UNAUTHENTICATED = { name: 'audited strangers', max: 100, windowSeconds: 60 * 60 };

/**
 * Records that a caller without a session was refused, five times a minute for each network and a
 * hundred times an hour for all, so that many networks cannot fill the audit.
 */
export async function auditUnauthenticatedCall(on: Db, network: string, { path, error }: { path: string; error: string }, now: Date) {
  const row = { action: 'refused', subject: ['call', path], after: { error } } as const;
  const all = { ...UNAUTHENTICATED, subject: 'all', now };
  // A block has up to 65,536 networks. Once the limit of all is reached, they write no row.
  if (!(await readLimit(on, all)).allowed) return;
  await sql`with of_network as (${countUseSql({ ...UNAUTHENTICATED_OF_NETWORK, subject: network, now })}),
      counted as (${countUseSql(all, sql`from of_network`)})
    insert into staff_audit (${COLUMNS}) select ${auditValuesSql(null, row, now)} from counted`.execute(on);
}

/** Returns the sum that counts in the daily limit of a person within a period, in paise. */
export async function sumCredits(db: Db, staffId: string, { since, until }: { since: Date; until: Date }): Promise<number> {
  const { sum } = await db
    .selectFrom('staff_credits')
    .select(sql<number>`coalesce(sum(amount_paise), 0)::bigint`.as('sum'))
    .where('staff_id', '=', staffId)
    .where('at', '>=', since)
    .where('at', '<=', until)
    .executeTakeFirstOrThrow();
  return sum;
}

/** A change whose credit is reversed. A subject can have several changes of one millisecond. */
interface ReversedChange extends Pick<AuditRow, 'action' | 'subject'> {
  /** The time of the change. */
  at: Date;
  /** Values of its audit row, or the payment that it received: its author and its amount. */
  matches: { after: AuditValues } | { receivedBy: string | null; amountPaise: number };
}

/**
 * Stops to count one change in the daily limit of its author, because its credit is reversed. If
 * several changes match, the one with the smallest credit.
 */
export async function deleteCredit(tx: Tx, { action, subject: [kind, id], at, matches }: ReversedChange): Promise<void> {
  const isChange =
    'after' in matches
      ? sql`after @> ${toJson(matches.after)}::jsonb`
      : sql`staff_audit.staff_id = ${matches.receivedBy}
            and (after ->> 'received_paise')::bigint - (before ->> 'received_paise')::bigint = ${matches.amountPaise}`;
  await sql`
    delete from staff_credits where audit_id = (
      select audit_id from staff_audit join staff_credits on audit_id = staff_audit.id
       where action = ${action} and subject_kind = ${kind} and subject_id = ${id} and staff_audit.at = ${at} and ${isChange}
       order by amount_paise limit 1)`.execute(tx);
}

/** Returns how often a person has made an audited change within a period. */
export async function countChanges(
  db: Db,
  { staffId, action, since, until }: { staffId: string; action: AuditAction; since: Date; until: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('staff_audit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('staff_id', '=', staffId)
    .where('at', '>=', since)
    .where('at', '<=', until)
    .where('action', '=', action)
    .executeTakeFirstOrThrow();
  return count;
}

/** Fewer digits fit thousands of numbers. */
const MIN_AUDITED_DIGITS = 7;

/**
 * Returns the digits of a search for a mobile number. Undefined for any other search, and for fewer
 * than `MIN_AUDITED_DIGITS`, which are not audited.
 */
export const toAuditedDigits = (search: string): string | undefined =>
  new RegExp(`^\\d{${MIN_AUDITED_DIGITS},10}$`).exec(search.trim())?.[0];

/**
 * Records that a person searched for a mobile number, unless the same is recorded since a time:
 * screens repeat their searches.
 */
export async function auditSearch(
  db: Db,
  staff: { id: string },
  { digits, isKnown, since }: { digits: string; isKnown: boolean; since: Date },
  now: Date,
) {
  const action = 'look-up-customer' satisfies AuditAction;
  const recorded = await db
    .selectFrom('staff_audit')
    .select('id')
    .where('staff_id', '=', staff.id)
    .where('at', '>', since)
    .where('action', '=', action)
    .where('subject_id', '=', digits)
    .limit(1)
    .executeTakeFirst();
  if (!recorded) await audit(db, staff, { action, subject: ['customer', digits], after: { is_known: isKnown } }, now);
}

const toJson = (values: AuditValues) => (values === null ? null : JSON.stringify(values));

export interface AuditFilter {
  /** The smallest id of the page before. */
  beforeId?: number | undefined;
  personId?: string | undefined;
  action?: string | undefined;
  subjectId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  limit: number;
}

export interface StoredAuditRow {
  id: number;
  at: Date;
  /** Null for a command in the terminal, as are the name and the role. */
  staff_id: string | null;
  command_user: string | null;
  name: string | null;
  role: Role | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  before: AuditValues;
  after: AuditValues;
  /** Other entries have the same subject. */
  has_others: boolean;
}

/** Returns the entries that match all given conditions, the newest first. */
export function listAudit(db: Db, { beforeId, personId, action, subjectId, from, until, limit }: AuditFilter): Promise<StoredAuditRow[]> {
  const is = (value: unknown, condition: ReturnType<typeof sql<SqlBool>>) => (value === undefined ? sql<SqlBool>`true` : condition);
  return db
    .selectFrom('staff_audit')
    .leftJoin('staff_members', 'staff_members.id', 'staff_audit.staff_id')
    .select([
      'staff_audit.id',
      'staff_audit.at',
      'staff_audit.staff_id',
      'staff_audit.command_user',
      'staff_members.name',
      'staff_members.role',
      'staff_audit.action',
      'staff_audit.subject_kind',
      'staff_audit.subject_id',
      sql<AuditValues>`staff_audit.before`.as('before'),
      sql<AuditValues>`staff_audit.after`.as('after'),
      sql<boolean>`exists (
        select from staff_audit other
         where other.subject_id = staff_audit.subject_id and other.subject_kind = staff_audit.subject_kind
           and other.id <> staff_audit.id)`.as('has_others'),
    ])
    .where(is(beforeId, sql`staff_audit.id < ${beforeId ?? null}`))
    .where(is(personId, sql`staff_audit.staff_id = ${personId ?? null}`))
    .where(is(action, sql`staff_audit.action = ${action ?? null}`))
    .where(is(subjectId, sql`staff_audit.subject_id = ${subjectId ?? null}`))
    .where(is(from, sql`staff_audit.at >= ${from ?? null}`))
    .where(is(until, sql`staff_audit.at < ${until ?? null}`))
    .orderBy('staff_audit.id', 'desc')
    .limit(limit)
    .execute();
}

interface AuditedCustomer {
  mobile: string;
  /** Replaces the mobile. */
  pseudonym: string;
  orderIds: readonly string[];
  reviewIds: readonly string[];
}

/**
 * Removes a customer from the audit: mobile and reason of look-ups and credits, searches for the
 * beginning of the mobile, notes, and what was written about reviews.
 */
export async function eraseCustomerFromAudit(tx: Tx, { mobile, pseudonym, orderIds, reviewIds }: AuditedCustomer) {
  const subjects = Array.from({ length: mobile.length - MIN_AUDITED_DIGITS + 1 }, (_, index) =>
    mobile.slice(0, MIN_AUDITED_DIGITS + index),
  );
  await tx
    .updateTable('staff_audit')
    .set({ subject_id: pseudonym, after: sql`after - 'reason'` })
    .where('subject_kind', '=', 'customer')
    .where('subject_id', 'in', subjects)
    .execute();
  if (orderIds.length > 0) {
    await tx
      .updateTable('staff_audit')
      .set({ after: sql`after - 'note'` })
      .where('subject_kind', '=', 'order')
      .where('subject_id', 'in', orderIds)
      .execute();
  }
  if (reviewIds.length === 0) return;
  const words = sql`array['reason', 'reply']`;
  await tx
    .updateTable('staff_audit')
    .set({ before: sql`before - ${words}`, after: sql`after - ${words}` })
    .where('subject_kind', '=', 'review')
    .where('subject_id', 'in', reviewIds)
    .execute();
}
