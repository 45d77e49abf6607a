import { sql, type Insertable, type SqlBool } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { StaffMembers, StaffSessions } from '../../db/tables.generated.ts';
import type { StaffMember } from './authentication.server.ts';
import { AUDIT_FIELDS, type AuditAction, type AuditFacts, type AuditSubject } from './desk/audit-contract.ts';
import type { Role } from './desk/contract.ts';

/** Returns undefined for an unknown and an expired session, and for that of a removed person. */
export const findSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('staff_sessions')
    .innerJoin('staff_members', 'staff_members.id', 'staff_sessions.staff_id')
    .select([
      'staff_members.id',
      'staff_members.name',
      'staff_members.mobile',
      sql<Role>`staff_members.role`.as('role'),
      'staff_sessions.created_at',
    ])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

/**
 * Returns those of the sessions that are not expired, ended or of a removed person, with the role
 * of the person.
 */
export const findLiveStaffSessions = (db: Db, tokenHashes: readonly Buffer[], now: Date) =>
  db
    .selectFrom('staff_sessions')
    .innerJoin('staff_members', 'staff_members.id', 'staff_sessions.staff_id')
    .select(['token_hash', sql<Role>`staff_members.role`.as('role')])
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .where('expires_at', '>', now)
    .where('removed_at', 'is', null)
    .execute();

export const insertSession = (tx: Tx, session: Insertable<StaffSessions>) => tx.insertInto('staff_sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('staff_sessions').where('token_hash', '=', tokenHash).execute();

export const deleteSessionsOf = (tx: Tx, staffId: string) => tx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).execute();

/** After a restore, the removal of a person or a new password may be younger than the backup. */
export async function endAllLogins(db: Db) {
  await db.deleteFrom('staff_sessions').execute();
  await db.updateTable('staff_members').set({ link_hash: null, link_expires_at: null }).where('link_hash', 'is not', null).execute();
}

/**
 * Deletes expired sessions, answers of before `answeredBefore` and their keys of before
 * `sentBefore`. Of what a clock that was ahead created, the sessions end, and the keys count from
 * now: without its key, a repeated request takes effect twice.
 */
export async function deleteExpired(db: Db, { now, answeredBefore, sentBefore }: { now: Date; answeredBefore: Date; sentBefore: Date }) {
  const latest = addSeconds(now, MAX_CLOCK_SKEW_SECONDS);
  await db
    .deleteFrom('staff_sessions')
    .where((of) => of.or([of('expires_at', '<', now), of('created_at', '>', latest)]))
    .execute();
  await db.deleteFrom('staff_answers').where('created_at', '<', sentBefore).execute();
  await db.updateTable('staff_answers').set({ created_at: now }).where('created_at', '>', latest).execute();
  await storedAnswers(db).where('created_at', '<', answeredBefore).execute();
}

const storedAnswers = (db: Db) => db.updateTable('staff_answers').set({ answer: null }).where('answer', 'is not', null);

/**
 * Deletes the stored answers to all requests, because each of them may name any customer. Their
 * keys stay.
 */
export const forgetAnswers = (tx: Tx) => storedAnswers(tx).execute();

const memberColumns = ['id', 'mobile', 'name', sql<Role>`role`.as('role'), 'password_hash'] as const;

const members = (db: Db) => db.selectFrom('staff_members').select(memberColumns).where('removed_at', 'is', null);

/** Returns undefined for an unknown person and for one who was removed. */
export const findMember = (db: Db, id: string) => members(db).where('id', '=', id).executeTakeFirst();

export const findMemberByMobile = (db: Db, mobile: string) => members(db).where('mobile', '=', mobile).executeTakeFirst();

/**
 * Locks the row until the transaction ends. Returns undefined for a removed person. Rows that refer
 * to the person, such as the key of a request, lock the key of the row: only a lock that leaves the
 * key free does not deadlock with the concurrent requests of the person.
 */
export const lockMember = (tx: Tx, id: string) => members(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export const lockMemberOfLink = (tx: Tx, linkHash: Buffer, now: Date) =>
  members(tx).where('link_hash', '=', linkHash).where('link_expires_at', '>', now).forNoKeyUpdate().executeTakeFirst();

export const hasLink = async (db: Db, linkHash: Buffer, now: Date) =>
  (await members(db).where('link_hash', '=', linkHash).where('link_expires_at', '>', now).executeTakeFirst()) !== undefined;

/** Returns the names of people, also of those who were removed. */
export const listNames = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('staff_members')
        .select(['id', 'name'])
        .where('id', 'in', [...ids])
        .execute();

export const listMembers = (db: Db) => members(db).orderBy('created_at').orderBy('id').execute();

/** Returns whether a person works here or has worked here. */
export const hasStaff = async (db: Db) => (await db.selectFrom('staff_members').select('id').limit(1).execute()).length > 0;

/**
 * Returns the ids of the owners who can log in. Locks their rows in the same order in every
 * transaction, so that two concurrent removals leave one owner.
 */
export async function lockUsableOwners(tx: Tx): Promise<string[]> {
  const rows = await members(tx)
    .where('role', '=', 'owner')
    .where('password_hash', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns false if the mobile belongs to a person who works here. */
export async function insertMember(tx: Tx, member: Insertable<StaffMembers>): Promise<boolean> {
  const inserted = await tx
    .insertInto('staff_members')
    .values(member)
    .onConflict((conflict) => conflict.column('mobile').where('removed_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Returns the people of a demonstration: those with these mobiles whom no person and no command
 * has added, and all whom they, or a person of these, have added, changed or given a link.
 */
export const listPeopleOfDemo = async (db: Db, mobiles: readonly string[]): Promise<{ id: string; mobile: string }[]> =>
  (
    await sql<{ id: string; mobile: string }>`
      with recursive people (id) as (
        select id from staff_members where mobile = any(${mobiles}::text[])
           and not exists (select from staff_audit where action = ${'add-person' satisfies AuditAction} and subject_id = staff_members.id)
        union
        select subject_id from staff_audit join people on staff_audit.staff_id = people.id
         where action = any(${TRUSTED_ACTIONS}::text[]))
      select id, mobile from staff_members where id in (select id from people) and removed_at is null order by mobile`.execute(db)
  ).rows;

/** They give a person the rights of their author. */
const TRUSTED_ACTIONS: readonly AuditAction[] = ['add-person', 'change-person', 'new-link'];

export const updateMember = (
  tx: Tx,
  id: string,
  change: Partial<{
    name: string;
    role: Role;
    password_hash: string;
    link_hash: Buffer | null;
    link_expires_at: Date | null;
    removed_at: Date;
  }>,
) => tx.updateTable('staff_members').set(change).where('id', '=', id).execute();

export interface AuditRow {
  action: AuditAction;
  subject: readonly [kind: AuditSubject, id: string];
  before?: AuditFacts;
  after?: AuditFacts;
}

const FIELDS: ReadonlySet<string> = new Set(AUDIT_FIELDS);
const SECRET = /code|password|token|link|hash/i;

/**
 * Records a change in the transaction that makes it. `staff` is null for a command in the terminal.
 * Throws for a field with the name of a secret, such as the hand-over code, and for one that the
 * screen of the audit has no label for.
 */
export async function audit(
  on: Db,
  staff: Pick<StaffMember, 'id'> | null,
  { action, subject: [kind, id], before = null, after = null }: AuditRow,
  at: Date,
): Promise<void> {
  for (const name of [before, after].flatMap((facts) => Object.keys(facts ?? {}))) {
    invariant(!SECRET.test(name), `the audit holds no secret: ${name}`);
    invariant(FIELDS.has(name), `AUDIT_FIELDS lists every field of the audit: ${name}`);
  }
  await on
    .insertInto('staff_audit')
    .values({ at, staff_id: staff?.id ?? null, action, subject_kind: kind, subject_id: id, before: json(before), after: json(after) })
    .execute();
}

/** Returns what a person has credited to customers since a time, as the audit has it. */
export async function sumAuditedPaise(db: Db, staffId: string, since: Date): Promise<number> {
  const { sum } = await db
    .selectFrom('staff_audit')
    .select(sql<number>`coalesce(sum(coalesce(after ->> 'credited_paise', after ->> 'amount_paise')::bigint), 0)::bigint`.as('sum'))
    .where('staff_id', '=', staffId)
    .where('at', '>=', since)
    .where('action', 'in', CREDITING_ACTIONS)
    .executeTakeFirstOrThrow();
  return sum;
}

/** Fewer digits fit thousands of numbers. */
const MIN_AUDITED_DIGITS = 7;

/** Returns the digits of a search for a mobile number, or undefined for any other search. */
export const auditedDigits = (search: string): string | undefined => new RegExp(`^\\d{${MIN_AUDITED_DIGITS},10}$`).exec(search.trim())?.[0];

/**
 * Records that a person searched for a mobile number, unless the same is recorded since a time:
 * screens repeat their searches.
 */
export async function auditSearch(
  db: Db,
  staff: StaffMember,
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

/**
 * The actions that credit a customer: their audit rows have `amount_paise`, or `credited_paise` for
 * a change of an order.
 */
const CREDITING_ACTIONS = [
  'settle-claim',
  'grant-credit',
  'receive-payment',
  'weigh-order',
  'cancel-order',
] as const satisfies readonly AuditAction[];

const json = (facts: AuditFacts) => (facts === null ? null : JSON.stringify(facts));

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

export function listAudit(db: Db, { beforeId, personId, action, subjectId, from, until, limit }: AuditFilter) {
  const is = (value: unknown, condition: ReturnType<typeof sql<SqlBool>>) => (value === undefined ? sql<SqlBool>`true` : condition);
  return db
    .selectFrom('staff_audit')
    .leftJoin('staff_members', 'staff_members.id', 'staff_audit.staff_id')
    .select([
      'staff_audit.id',
      'staff_audit.at',
      'staff_audit.staff_id',
      'staff_members.name',
      sql<Role | null>`staff_members.role`.as('role'),
      'staff_audit.action',
      'staff_audit.subject_kind',
      'staff_audit.subject_id',
      sql<AuditFacts>`staff_audit.before`.as('before'),
      sql<AuditFacts>`staff_audit.after`.as('after'),
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

export interface AnswerKey {
  staffId: string;
  key: string;
  requestHash: Buffer;
}

/**
 * Reserves the key for this transaction and returns undefined. Otherwise returns the answer of the
 * request that used it first, after its transaction has ended. The answer is null if it was deleted
 * since.
 */
export async function reserveKey(tx: Tx, { staffId, key, requestHash }: AnswerKey, now: Date) {
  const reserved = await tx
    .insertInto('staff_answers')
    .values({ staff_id: staffId, key, request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (reserved) return undefined;
  return tx
    .selectFrom('staff_answers')
    .select(['request_hash', sql`answer`.as('answer')])
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

export const storeAnswer = (tx: Tx, { staffId, key }: AnswerKey, answer: unknown) =>
  tx
    .updateTable('staff_answers')
    .set({ answer: JSON.stringify(answer) })
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .execute();

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
