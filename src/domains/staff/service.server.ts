/** Log-in and people of the staff, and changes that are made once. */
import * as z from 'zod/mini';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Done, Outcome, Refused } from '../../contract/outcome.ts';
import { transaction, transactionWithOutcome, type Db, type Tx } from '../../db/database.server.ts';
import { ConflictError } from '../../contract/api-error.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import { checkPassword, countLogin, resetLoginWait, type PasswordChecks } from '../accounts/password-service.server.ts';
import { forgetStaffDevices } from '../verification/authentication.server.ts';
import type { StaffAuthentication, StaffMember } from './authentication.server.ts';
import { audit, auditWithinLimit, type AuditAuthor, type AuditRow } from './audit-store.server.ts';
import { UNKNOWN_PERSON } from './desk/audit-contract.ts';
import { staffError, type staffLogin, type Me, type Person, type PersonChange, type Role } from './desk/contract.ts';
import { readPasskeyCounts, deleteExpiredCeremonies, deletePasskeysOf } from './passkeys-store.server.ts';
import { creditsLeft, type CreditLimit } from './credits-service.server.ts';
import * as store from './store.server.ts';

export interface StaffDependencies extends PasswordChecks {
  staff: StaffAuthentication;
}

/** A person whose password was checked, and the hash with which it was compared. */
export interface CheckedMember {
  id: string;
  role: Role;
  password_hash: string | null;
}

/**
 * Locks a person until the transaction ends. Returns undefined for one who was removed, has set
 * another password, or has another role since the check: the role decides about the second factor.
 */
export async function lockCheckedMember(
  tx: Tx,
  { id, role, password_hash: passwordHash }: CheckedMember,
): Promise<store.MemberRow | undefined> {
  const current = await store.lockMember(tx, id);
  return current?.password_hash === passwordHash && current.role === role ? current : undefined;
}

export type SecondFactorError = ErrorMessage<'passkey-required' | 'passkey-missing' | 'wrong-staff-login'>;

/** The check that follows a correct password. */
export interface SecondFactor {
  /** Returns undefined if the password is enough, otherwise the error of the log-in. */
  startSecondFactor(client: Client, cookies: CookieJar, person: CheckedMember): Promise<SecondFactorError | undefined>;
}

const LINK_LIFETIME_SECONDS = DAY_SECONDS;
/** Stored responses contain personal data. Nearly all retries arrive within this time. */
const RESPONSE_LIFETIME_SECONDS = 2 * DAY_SECONDS;
/**
 * A phone can be off for weeks with a payment whose response was lost. A request that made no
 * change needs no key after its response: repeated, it is decided again.
 */
const KEY_LIFETIME_SECONDS = 30 * DAY_SECONDS;

/** The page on which the person sets a password. The token is not sent to the server with it. */
const linkPath = (token: string) => `/staff/set-password#${token}`;

/** Returns only the properties of `Me`. */
export const toMe = ({ name, role, mobile }: Me): Me => ({ name, role, mobile });

/**
 * Checks the password and sets the session cookie, if no passkey is needed. The error does not
 * reveal which mobile numbers belong to the staff. Throws `ApiError` (rate-limited) and `QueueFull`
 * like `checkPassword`.
 */
export async function logIn(
  dependencies: StaffDependencies & SecondFactor,
  client: Client,
  cookies: CookieJar,
  { mobile, password }: { mobile: string; password: string },
): Promise<Outcome<Me, keyof typeof staffLogin.errors>> {
  const { db, clock, staff, devices } = dependencies;
  const { account: person, isCorrect } = await checkPassword(dependencies, client, { mobile, password }, () =>
    store.findMemberByMobile(db, mobile),
  );
  if (!person || !isCorrect) {
    await auditFailedLogIn(dependencies, person?.id, 'wrong-staff-login');
    return { error: staffError('wrong-staff-login') };
  }
  const needed = await dependencies.startSecondFactor(client, cookies, person);
  if (needed) return { error: needed };
  const created = await transaction(db, async (tx) => {
    const current = await lockCheckedMember(tx, person);
    if (!current) return undefined;
    const session = await staff.createSession(tx, client, current);
    await audit(tx, session.staff, { action: 'log-in', subject: ['person', person.id] }, clock.now());
    return { session, device: await devices.remember(tx, client, mobile) };
  });
  if (!created) return { error: staffError('wrong-staff-login') };
  created.session.setCookie(cookies);
  created.device.setCookie(cookies);
  return { data: toMe(created.session.staff) };
}

/** Bounds the rows of the audit that callers without a session cause. */
const FAILED_LOG_INS = { name: 'audited log-ins that failed', max: 20, windowSeconds: DAY_SECONDS };

/**
 * Records a failed log-in. Those with numbers of no person, `personid` undefined, count together:
 * one statement for both, so that the time does not reveal which numbers belong to the staff.
 */
export const auditFailedLogIn = (
  { db, clock }: Pick<StaffDependencies, 'db' | 'clock'>,
  personid: string | undefined,
  error: 'wrong-staff-login' | 'passkey-refused',
): Promise<void> => {
  const subject = personid ?? UNKNOWN_PERSON;
  const row = { action: 'log-in-failed', subject: ['person', subject], after: { error } } as const;
  return auditWithinLimit(db, null, row, { ...FAILED_LOG_INS, subject, now: clock.now() });
};

/**
 * Ends the session of this browser and deletes its cookie. Writes an audit row for a live session.
 */
export async function logOut({ db, clock, staff }: StaffDependencies, client: Client, cookies: CookieJar): Promise<void> {
  const person = await staff.findStaff(client);
  await transaction(db, async (tx) => {
    await staff.endSession(tx, client, cookies);
    if (person) await audit(tx, person, { action: 'log-out', subject: ['person', person.id] }, clock.now());
  });
}

/**
 * Sets the password of the person with this link. Ends every session and known device of theirs,
 * their passkeys, which may be lost, and the back-off of wrong passwords. Returns an error for an
 * unknown, used or expired link. Throws `ApiError` (rate-limited) and `QueueFull` like
 * `checkPassword`.
 */
export async function setPassword(
  dependencies: StaffDependencies,
  client: Client,
  { token, password }: { token: string; password: string },
): Promise<Outcome<{ mobile: string }, 'invalid-link'>> {
  const { db, clock, passwords, hash } = dependencies;
  await countLogin(dependencies, client);
  const linkHash = hashToken(token);
  return passwords.runForProof(linkHash.toString('hex'), async () => {
    // Before the hash, which is expensive.
    if (!(await store.hasLink(db, linkHash, clock.now()))) return { error: staffError('invalid-link') };
    const passwordHash = await passwords.hash(password);
    return transaction(db, async (tx) => {
      const now = clock.now();
      const person = await store.lockMemberOfLink(tx, linkHash, now);
      if (!person) return { error: staffError('invalid-link') };
      await store.updateMember(tx, person.id, { password_hash: passwordHash, link_hash: null, link_expires_at: null });
      await store.deleteSessionsOf(tx, person.id);
      await deletePasskeysOf(tx, person.id);
      await forgetStaffDevices(tx, person.mobile);
      await resetLoginWait(tx, hash, person.mobile);
      await audit(tx, person, { action: 'set-password', subject: ['person', person.id] }, now);
      return { data: { mobile: person.mobile } };
    });
  });
}

/** The work of the staff in later domains. */
export interface StaffWorkload {
  /** Returns the open orders and the held cash of people, by their ids. */
  readWork(db: Db): Promise<{ orders: ReadonlyMap<string, number>; heldPaise: ReadonlyMap<string, Paise> }>;
  /** Removes a person from the open orders that name them. Locks the orders. */
  unassignOrders(tx: Tx, staff: StaffMember, personid: string, now: Date): Promise<void>;
}

/** Returns the people who work here, with their work and their credits of today. */
export async function listPeopleWithWorkload(db: Db, { readWork, ...limit }: StaffWorkload & CreditLimit, now: Date): Promise<Person[]> {
  const [people, { orders, heldPaise }] = [await listPeople(db), await readWork(db)];
  const listed: Person[] = [];
  for (const person of people) {
    const left = await creditsLeft(db, { id: person.personid, role: person.role }, limit, now);
    listed.push({
      ...person,
      open_orders: orders.get(person.personid) ?? 0,
      held_cash: heldPaise.get(person.personid) ?? asPaise(0),
      credits: left === null ? null : { per_day: limit.operatorCreditsPerDayPaise, left_today: left },
    });
  }
  return listed;
}

/** Returns an error for an unknown, used or expired link. */
export async function checkLink({ db, clock }: StaffDependencies, token: string): Promise<Outcome<null, 'invalid-link'>> {
  return (await store.hasLink(db, hashToken(token), clock.now())) ? { data: null } : { error: staffError('invalid-link') };
}

/** Returns the people who work here. */
export async function listPeople(db: Db): Promise<Omit<Person, 'open_orders' | 'held_cash' | 'credits'>[]> {
  const [people, passkeys] = [await store.listMembers(db), await readPasskeyCounts(db)];
  return people.map(({ id, name, mobile, role, password_hash: passwordHash }) => ({
    personid: id,
    name,
    mobile,
    role,
    status: passwordHash === null ? 'invited' : 'active',
    passkeys: passkeys.get(id) ?? 0,
  }));
}

type ChangedPerson = Outcome<{ personid: string; link: string | null }, 'person-exists' | 'person-not-found' | 'last-owner'>;

/**
 * Makes a change of `staff/setperson`. The response has no link: `issueLink` makes it, so that no
 * stored response contains one.
 */
export async function changePerson(tx: Tx, author: AuditAuthor, change: PersonChange, now: Date): Promise<ChangedPerson> {
  switch (change.action) {
    case 'add':
      return addPerson(tx, author, change, now);
    case 'change':
      return updatePerson(tx, author, change, now);
    case 'link':
      return (await store.lockMember(tx, change.personid)) ? saved(change.personid) : { error: staffError('person-not-found') };
    case 'remove':
      return removePerson(tx, author, change.personid, now);
  }
}

/**
 * Makes a change like `changePerson`. The open orders of a removed person have no rider afterwards.
 */
export async function changePersonAndUnassign(
  tx: Tx,
  owner: StaffMember,
  change: PersonChange,
  { unassignOrders }: Pick<StaffWorkload, 'unassignOrders'>,
  now: Date,
): Promise<ChangedPerson> {
  if (change.action !== 'remove') return changePerson(tx, owner, change, now);
  return transactionWithOutcome(tx, async (inner) => {
    // Orders are locked before people. The second time finds orders that were assigned meanwhile.
    await unassignOrders(inner, owner, change.personid, now);
    const result = await changePerson(inner, owner, change, now);
    if (!result.error) await unassignOrders(inner, owner, change.personid, now);
    return result;
  });
}

const saved = (personid: string): ChangedPerson => ({ data: { personid, link: null } });

async function addPerson(
  tx: Tx,
  author: AuditAuthor,
  { name, mobile, role }: { name: string; mobile: string; role: Role },
  now: Date,
): Promise<ChangedPerson> {
  const personid = newId();
  const isInserted = await store.insertMember(tx, { id: personid, name, mobile, role, created_at: now });
  if (!isInserted) return { error: staffError('person-exists') };
  await audit(tx, author, { action: 'add-person', subject: ['person', personid], after: { name, mobile, role } }, now);
  return saved(personid);
}

/**
 * Makes a one-time link to set a password, instead of an earlier one, and returns its path.
 * Returns null for a removed person.
 */
export async function issueLink(tx: Tx, author: AuditAuthor, personid: string, now: Date): Promise<string | null> {
  if (!(await store.lockMember(tx, personid))) return null;
  const token = newToken();
  await store.updateMember(tx, personid, { link_hash: hashToken(token), link_expires_at: addSeconds(now, LINK_LIFETIME_SECONDS) });
  await audit(tx, author, { action: 'new-link', subject: ['person', personid] }, now);
  return linkPath(token);
}

/**
 * Changes name and role. Another role ends the sessions of the person: it may need a passkey, and
 * they were begun without one.
 */
async function updatePerson(
  tx: Tx,
  author: AuditAuthor,
  { personid, name, role }: { personid: string; name: string; role: Role },
  now: Date,
): Promise<ChangedPerson> {
  const owners = await store.lockUsableOwners(tx);
  const person = await store.lockMember(tx, personid);
  if (!person) return { error: staffError('person-not-found') };
  if (role !== 'owner' && isOnlyOwner(owners, personid)) return { error: staffError('last-owner') };
  await store.updateMember(tx, personid, { name, role });
  if (role !== person.role) await store.deleteSessionsOf(tx, personid);
  const before = { name: person.name, role: person.role };
  await audit(tx, author, { action: 'change-person', subject: ['person', personid], before, after: { name, role } }, now);
  return saved(personid);
}

async function removePerson(tx: Tx, author: AuditAuthor, personid: string, now: Date): Promise<ChangedPerson> {
  const owners = await store.lockUsableOwners(tx);
  const person = await store.lockMember(tx, personid);
  if (!person) return { error: staffError('person-not-found') };
  if (isOnlyOwner(owners, personid)) return { error: staffError('last-owner') };
  await removeMember(tx, author, person, now);
  return saved(personid);
}

async function removeMember(
  tx: Tx,
  author: AuditAuthor,
  { id, name, mobile, role }: { id: string; name: string; mobile: string; role: Role },
  now: Date,
) {
  // Sessions stay until they expire, without access: their browsers learn of the removal.
  await store.updateMember(tx, id, { removed_at: now, link_hash: null, link_expires_at: null });
  await deletePasskeysOf(tx, id);
  await forgetStaffDevices(tx, mobile);
  await audit(tx, author, { action: 'remove-person', subject: ['person', id], before: { name, mobile, role } }, now);
}

const isOnlyOwner = (owners: readonly string[], personid: string) => owners.length === 1 && owners[0] === personid;

/** Creates the people of a demonstration. Concurrent calls create each person once. */
export const createSampleStaff = (
  db: Db,
  people: readonly { name: string; mobile: string; role: Role }[],
  passwordHash: string,
  now: Date,
): Promise<void> =>
  transaction(db, async (tx) => {
    for (const person of people) await store.insertMember(tx, { ...person, id: newId(), password_hash: passwordHash, created_at: now });
  });

/** Removes a person of a demonstration, also its only owner. */
export async function removeSamplePerson(tx: Tx, personid: string, now: Date): Promise<void> {
  const person = await store.lockMember(tx, personid);
  if (person) await removeMember(tx, null, person, now);
}

/** The transaction of a change, with its author and its time. */
export interface StaffTransaction {
  tx: Tx;
  staff: StaffMember;
  now: Date;
}

/**
 * The outcome of a change, with its rows of the audit. A refusal commits what the change has
 * written before: it checks first, or writes in a transaction of its own
 * (`transactionWithOutcome`).
 */
export type StaffOutcome<Data, Code extends string> =
  /** No rows: the request changed nothing, because it repeats an earlier one. */
  (Done<Data> & { audit: readonly AuditRow[] }) | (Refused<Code> & { audit?: never });

/**
 * Returns the error of a change that is not based on the current state. `current` is the data of a
 * success, as the state is now.
 */
export const staleConflict = <Data>(call: { data: z.ZodMiniType<Data> }, current: Data): ConflictError =>
  new ConflictError(staffError('changed-meanwhile'), z.encode(call.data, current));

/** Deletes expired sessions and links, responses after two days and their keys after 30. */
export async function deleteExpiredStaffData(db: Db, now: Date): Promise<void> {
  await store.deleteExpired(db, {
    now,
    responsesBefore: addSeconds(now, -RESPONSE_LIFETIME_SECONDS),
    keysBefore: addSeconds(now, -KEY_LIFETIME_SECONDS),
    linksUntil: addSeconds(now, LINK_LIFETIME_SECONDS),
  });
  await deleteExpiredCeremonies(db, now);
}
