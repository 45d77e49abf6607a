import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { StaffMembers, StaffSessions } from '../../db/tables.generated.ts';
import type { AuditAction } from './desk/audit-contract.ts';
import type { Role } from './desk/contract.ts';

/** Returns undefined for an unknown and an expired session, and for that of a removed person. */
export const findSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('staff_sessions')
    .innerJoin('staff_members', 'staff_members.id', 'staff_sessions.staff_id')
    .select(['staff_members.id', 'staff_members.name', 'staff_members.mobile', 'staff_members.role', 'staff_sessions.created_at'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

/** Returns a session also if it has expired, or its person was removed. */
export const findEndedSession = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('staff_sessions')
    .innerJoin('staff_members', 'staff_members.id', 'staff_sessions.staff_id')
    .select(['expires_at', 'removed_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();

/**
 * Returns those of the sessions that are not expired, ended or of a removed person, with the role
 * of the person.
 */
export const listLiveStaffSessions = (db: Db, tokenHashes: readonly Buffer[], now: Date) =>
  db
    .selectFrom('staff_sessions')
    .innerJoin('staff_members', 'staff_members.id', 'staff_sessions.staff_id')
    .select(['token_hash', 'staff_members.role'])
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .where('expires_at', '>', now)
    .where('removed_at', 'is', null)
    .execute();

export const insertSession = (tx: Tx, session: Insertable<StaffSessions>) => tx.insertInto('staff_sessions').values(session).execute();

export const deleteSession = (db: Db, tokenHash: Buffer) => db.deleteFrom('staff_sessions').where('token_hash', '=', tokenHash).execute();

export const deleteSessionsOf = (tx: Tx, staffId: string) => tx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).execute();

/**
 * Ends all sessions and links. For use after a restore: the removal of a person or a new password
 * may be younger than the backup.
 */
export async function deleteAllLogins(db: Db) {
  await db.deleteFrom('staff_sessions').execute();
  await db.updateTable('staff_members').set({ link_hash: null, link_expires_at: null }).where('link_hash', 'is not', null).execute();
}

interface ExpiryTimes {
  now: Date;
  responsesBefore: Date;
  keysBefore: Date;
  /** When a link that was made now expires. */
  linksUntil: Date;
}

/**
 * Deletes expired sessions and links, responses stored before `responsesBefore`, and keys stored
 * before `keysBefore`, those of requests that made no change before `responsesBefore`. A clock that
 * was ahead may have written times in the future: such sessions and links are deleted, and such
 * keys get the time `now`, because deleting a key would let a repeated request run twice.
 */
export async function deleteExpired(db: Db, { now, responsesBefore, keysBefore, linksUntil }: ExpiryTimes) {
  const latest = addSeconds(now, MAX_CLOCK_SKEW_SECONDS);
  await db
    .deleteFrom('staff_sessions')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('created_at', '>', latest)]))
    .execute();
  await db
    .updateTable('staff_members')
    .set({ link_hash: null, link_expires_at: null })
    .where((eb) => eb.or([eb('link_expires_at', '<', now), eb('link_expires_at', '>', addSeconds(linksUntil, MAX_CLOCK_SKEW_SECONDS))]))
    .execute();
  await db
    .deleteFrom('staff_answers')
    .where((eb) => eb.or([eb('created_at', '<', keysBefore), eb.and([eb('created_at', '<', responsesBefore), madeNoChangeSql])]))
    .execute();
  await db.updateTable('staff_answers').set({ created_at: now }).where('created_at', '>', latest).execute();
  await deleteResponses(db, responsesBefore);
}

const isSuccessSql = sql<boolean>`answer ->> 'response' = 'success'`;
/** SQL condition: false also if it is unknown. */
const madeNoChangeSql = sql<boolean>`coalesce(not is_done, not (${isSuccessSql}), false)`;

/** One statement for all would reach the time limit of a statement with a few 100,000 rows. */
const RESPONSES_PER_STATEMENT = 5000;

/** Deletes the responses that were stored before a time, or all. Their keys stay. */
async function deleteResponses(db: Db, before?: Date) {
  const older = before === undefined ? sql`` : sql`and created_at < ${before}`;
  for (;;) {
    const { numUpdatedRows } = await db
      .updateTable('staff_answers')
      .set({ answer: null, is_done: isSuccessSql })
      .where(
        sql<boolean>`ctid = any(array(
          select ctid from staff_answers where answer is not null ${older}
           order by created_at limit ${sql.lit(RESPONSES_PER_STATEMENT)} for update))`,
      )
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
  }
}

/**
 * Deletes the stored responses to all requests, because each of them may name any customer. Their
 * keys stay, and whether they made their change.
 */
export const deleteStoredResponses = (tx: Tx) => deleteResponses(tx);

const memberColumns = ['id', 'mobile', 'name', 'role', 'password_hash'] as const;

export type MemberRow = Pick<Selectable<StaffMembers>, (typeof memberColumns)[number]>;

/** An unexecuted query for the people who work here. */
const selectMembers = (db: Db) => db.selectFrom('staff_members').select(memberColumns).where('removed_at', 'is', null);

/** Returns undefined for an unknown person and for one who was removed. */
export const findMember = (db: Db, id: string): Promise<MemberRow | undefined> => selectMembers(db).where('id', '=', id).executeTakeFirst();

/** SQL for the name of a person. Null for an unknown person and for one who was removed. */
export const memberNameSql = (id: RawBuilder<string | null>) =>
  sql<string | null>`(select name from staff_members where id = ${id} and removed_at is null)`;

/** SQL for the role of a person, also of one who was removed. Null for an unknown person. */
export const memberRoleSql = (id: RawBuilder<string | null>) => sql<Role | null>`(select role from staff_members where id = ${id})`;

/** Returns undefined for an unknown person and for one who was removed. */
export const findMemberByMobile = (db: Db, mobile: string): Promise<MemberRow | undefined> =>
  selectMembers(db).where('mobile', '=', mobile).executeTakeFirst();

/**
 * Locks the row until the transaction ends. Returns undefined for an unknown or removed person.
 * Rows that refer to the person, such as the key of a request, lock the key of the row: only a lock
 * that leaves the key free does not deadlock with the concurrent requests of the person.
 */
export const lockMember = (tx: Tx, id: string): Promise<MemberRow | undefined> =>
  selectMembers(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Locks like `lockMember`. Returns undefined for an unknown or expired link. */
export const lockMemberOfLink = (tx: Tx, linkHash: Buffer, now: Date): Promise<MemberRow | undefined> =>
  selectMembers(tx).where('link_hash', '=', linkHash).where('link_expires_at', '>', now).forNoKeyUpdate().executeTakeFirst();

/** Returns false for an unknown, used or expired link. */
export const hasLink = async (db: Db, linkHash: Buffer, now: Date) =>
  (await selectMembers(db).where('link_hash', '=', linkHash).where('link_expires_at', '>', now).executeTakeFirst()) !== undefined;

/** Returns the names of people, also of those who were removed. */
export const listNames = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('staff_members')
        .select(['id', 'name'])
        .where('id', 'in', [...ids])
        .execute();

/** Returns the people who work here, in the order in which they were added. */
export const listMembers = (db: Db): Promise<MemberRow[]> => selectMembers(db).orderBy('created_at').orderBy('id').execute();

/** Returns whether a person works here or has worked here. */
export const hasStaff = async (db: Db) => (await db.selectFrom('staff_members').select('id').limit(1).execute()).length > 0;

/** Returns 'usable' if an owner has set a password, and 'added' if an owner is only added. */
export async function readOwnerState(db: Db): Promise<'none' | 'added' | 'usable'> {
  const owners = await selectMembers(db).where('role', '=', 'owner').execute();
  if (owners.length === 0) return 'none';
  return owners.some(({ password_hash: hash }) => hash !== null) ? 'usable' : 'added';
}

/**
 * Returns the ids of the owners who can log in. Locks their rows in the same order in every
 * transaction, so that two concurrent removals leave one owner.
 */
export async function lockUsableOwners(tx: Tx): Promise<string[]> {
  const rows = await selectMembers(tx)
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

export interface IdempotencyKeyUse {
  staffId: string;
  key: string;
  requestHash: Buffer;
}

/** The first request with a key. */
interface KeyOwner {
  request_hash: Buffer;
  response: unknown;
  is_done: boolean | null;
}

/**
 * Reserves the key for this transaction and returns undefined. Otherwise returns the response to
 * the request that used it first, after its transaction has ended. The response is null if it was
 * deleted since; `is_done` is then true if the request made its change, and null if unknown.
 * A person who was removed and added again repeats the requests that wait on the phone: the keys
 * are those of a mobile. The table `staff_answers` stores the responses.
 */
export async function reserveKey(tx: Tx, { staffId, key, requestHash }: IdempotencyKeyUse, now: Date): Promise<KeyOwner | undefined> {
  const formerIds = sql`select former.id from staff_members former join staff_members person using (mobile)
                         where person.id = ${staffId} and former.id <> person.id`;
  const earlier = await findKeyOwner(tx, key, formerIds);
  if (earlier) return earlier;
  const reserved = await tx
    .insertInto('staff_answers')
    .values({ staff_id: staffId, key, request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return reserved ? undefined : findKeyOwner(tx, key, sql`select ${staffId}`);
}

const findKeyOwner = (tx: Tx, key: string, staffIds: RawBuilder<unknown>): Promise<KeyOwner | undefined> =>
  tx
    .selectFrom('staff_answers')
    .select(['request_hash', sql`answer`.as('response'), 'is_done'])
    .where('key', '=', key)
    .where(sql<boolean>`staff_id in (${staffIds})`)
    .executeTakeFirst();

/** Records that the change was made, without a response. */
export const setDone = (tx: Tx, { staffId, key }: IdempotencyKeyUse) =>
  tx.updateTable('staff_answers').set({ is_done: true }).where('staff_id', '=', staffId).where('key', '=', key).execute();

export const setResponse = (tx: Tx, { staffId, key }: IdempotencyKeyUse, response: unknown) =>
  tx
    .updateTable('staff_answers')
    .set({ answer: JSON.stringify(response) })
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .execute();
