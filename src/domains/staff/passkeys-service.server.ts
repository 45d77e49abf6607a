/**
 * Passkeys of the staff (WebAuthn), the second factor after the password. Specification:
 * https://www.w3.org/TR/webauthn-3/.
 */
import { addSeconds } from '../../lib/clock.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import { countLogin } from '../accounts/password-service.server.ts';
import { requireFreshLogin } from './authentication.server.ts';
import { staffError, type Credential, type Me, type Role } from './desk/contract.ts';
import * as passkeys from './passkeys-store.server.ts';
import {
  auditFailedLogIn,
  lockCheckedMember,
  toMe,
  type CheckedMember,
  type SecondFactorError,
  type StaffDependencies,
} from './service.server.ts';
import { audit } from './audit-store.server.ts';
import * as store from './store.server.ts';

export interface PasskeyDependencies extends StaffDependencies {
  https: boolean;
  /** The name that a browser shows with the passkey. */
  siteName: string;
  /** Undefined: the origin of the request. */
  publicUrl: URL | undefined;
}

type PasskeyOutcome = Outcome<Me, 'not-logged-in' | 'passkey-refused'>;

/** EdDSA, ES256 and RS256: with the defaults of the library, Node warns of an experiment. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded at the first use: it costs 0.25 s at the start of the program. */
const webauthn = () => import('@simplewebauthn/server');

/** A text of at most 23 bytes in CBOR. */
const cborText = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);

/**
 * Returns the beginning of an attestation object: a map of three entries, the format and its
 * statement first, because WebAuthn requires the canonical form of CTAP2.
 */
const attestationStart = (format: string, entriesOfStatement: number) =>
  Buffer.concat([Buffer.from([0xa3]), cborText('fmt'), cborText(format), cborText('attStmt'), Buffer.from([0xa0 + entriesOfStatement])]);

/** No statement, or an algorithm and a signature by the passkey itself. */
const STARTS_WITHOUT_CERTIFICATE = [attestationStart('none', 0), attestationStart('packed', 2)];

/**
 * Returns true for a new credential without a certificate of its authenticator. The options ask for
 * none, and browsers then send none. To verify one, the library would request addresses that the
 * certificate names, before it knows who issued it.
 */
function hasNoCertificate({ response }: Credential): boolean {
  const attestation = Buffer.from(response?.attestationObject ?? '', 'base64url');
  return STARTS_WITHOUT_CERTIFICATE.some((start) => attestation.subarray(0, start.length).equals(start));
}

const cookieOf = ({ https }: { https: boolean }) => ({
  name: https ? '__Host-staff_passkey' : 'staff_passkey',
  options: { path: '/', sameSite: 'strict', secure: https, httpOnly: true, maxAge: passkeys.CEREMONY_SECONDS } as const,
});

type CeremonyDependencies = Pick<PasskeyDependencies, 'db' | 'clock' | 'https'>;

/**
 * Starts a ceremony: the use of a passkey in this browser, in a log-in or to add one. Sets its
 * cookie.
 */
async function startCeremony(
  on: Db,
  dependencies: CeremonyDependencies,
  cookies: CookieJar,
  staffId: string,
  purpose: passkeys.PasskeyPurpose,
): Promise<passkeys.PasskeyCeremony> {
  const token = newToken();
  const ceremony = { tokenHash: hashToken(token), staffId, purpose };
  await passkeys.insertCeremony(on, ceremony, addSeconds(dependencies.clock.now(), passkeys.CEREMONY_SECONDS));
  const cookie = cookieOf(dependencies);
  cookies.setCookie(cookie.name, token, cookie.options);
  return ceremony;
}

/**
 * Deletes the unfinished ceremony of this browser, if any, and its cookie. Another person may have
 * started it.
 */
async function abandonCeremony(dependencies: CeremonyDependencies, client: Client, cookies: CookieJar) {
  const { name, options } = cookieOf(dependencies);
  const token = client.cookies[name];
  if (token === undefined) return;
  await passkeys.deleteCeremony(dependencies.db, hashToken(token));
  cookies.clearCookie(name, options);
}

/**
 * Ends the earlier passkey ceremony of this browser. If the member needs a passkey, starts a
 * ceremony, sets its cookie and returns 'passkey-required' or 'passkey-missing'. Returns
 * 'wrong-staff-login' if the password was changed meanwhile, undefined if the password is enough.
 */
export async function startSecondFactor(
  dependencies: StaffDependencies & { https: boolean; requiresPasskey(role: Role): boolean },
  client: Client,
  cookies: CookieJar,
  person: CheckedMember,
): Promise<SecondFactorError | undefined> {
  const { db, requiresPasskey } = dependencies;
  await abandonCeremony(dependencies, client, cookies);
  const hasPasskey = (await passkeys.listPasskeys(db, person.id)).length > 0;
  if (!hasPasskey && !requiresPasskey(person.role)) return undefined;
  return transaction(db, async (tx) => {
    if (!(await lockCheckedMember(tx, person))) return staffError('wrong-staff-login');
    await startCeremony(tx, dependencies, cookies, person.id, hasPasskey ? 'log-in' : 'enrol');
    return staffError(hasPasskey ? 'passkey-required' : 'passkey-missing');
  });
}

/** A client with the origin of its request. */
export interface PasskeyClient extends Client {
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
}

/**
 * Returns the relying party: host without the port, and origin, of PUBLIC_URL, or of the request if
 * it is not set.
 */
function relyingParty({ publicUrl }: PasskeyDependencies, { protocol, host, hostname }: PasskeyClient) {
  return publicUrl ? { id: publicUrl.hostname, origin: publicUrl.origin } : { id: hostname, origin: `${protocol}://${host}` };
}

/** Returns the ceremony of this browser, or undefined without one that has not expired. */
const findCeremony = async (dependencies: PasskeyDependencies, client: Client) => {
  const token = client.cookies[cookieOf(dependencies).name];
  return token ? passkeys.findCeremony(dependencies.db, hashToken(token), dependencies.clock.now()) : undefined;
};

/**
 * Creates the WebAuthn challenge of the current ceremony and returns its options: authentication
 * for a log-in, registration for a first or further passkey. Without a ceremony, starts one for the
 * logged-in member and sets its cookie. Returns 'not-logged-in' without a session. Throws
 * `ApiError` (forbidden) if the log-in is too old.
 */
export async function createPasskeyChallenge(
  dependencies: PasskeyDependencies,
  client: PasskeyClient,
  cookies: CookieJar,
): Promise<Outcome<{ purpose: passkeys.PasskeyPurpose; options: Record<string, unknown> }, 'not-logged-in'>> {
  const { db, staff, siteName } = dependencies;
  let ceremony = await findCeremony(dependencies, client);
  if (!ceremony || ceremony.purpose === 'add') {
    const person = await staff.findStaff(client);
    if (!person) return { error: staffError('not-logged-in') };
    requireFreshLogin(person, dependencies.clock.now());
    ceremony = await startCeremony(db, dependencies, cookies, person.id, 'add');
  }
  const person = await store.findMember(db, ceremony.staffId);
  if (!person) return { error: staffError('not-logged-in') };
  const known = (await passkeys.listPasskeys(db, ceremony.staffId)).map(({ id, transports }) => ({ id, transports }));
  const { id: rpID } = relyingParty(dependencies, client);
  const { generateAuthenticationOptions, generateRegistrationOptions } = await webauthn();
  const options =
    ceremony.purpose === 'log-in'
      ? await generateAuthenticationOptions({ rpID, allowCredentials: known, userVerification: 'preferred' })
      : await generateRegistrationOptions({
          rpID,
          rpName: siteName,
          userName: person.mobile,
          userDisplayName: person.name,
          userID: new TextEncoder().encode(ceremony.staffId),
          excludeCredentials: known,
          attestationType: 'none',
          supportedAlgorithmIDs: ALGORITHMS,
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        });
  await passkeys.setChallenge(db, ceremony, options.challenge);
  return { data: { purpose: ceremony.purpose, options: options as unknown as Record<string, unknown> } };
}

/**
 * Logs in with a passkey after the password. Returns 'not-logged-in' without the ceremony of a
 * log-in, and 'passkey-refused' for a wrong passkey. Throws `ApiError` (rate-limited) like
 * `countLogin`.
 */
export async function logInWithPasskey(
  dependencies: PasskeyDependencies,
  client: PasskeyClient,
  cookies: CookieJar,
  credential: Credential,
): Promise<PasskeyOutcome> {
  const { db, clock } = dependencies;
  const ceremony = await findCeremony(dependencies, client);
  // A ceremony follows a right password or a session.
  if (!ceremony) await countLogin(dependencies, client);
  if (ceremony?.purpose !== 'log-in') return { error: staffError('not-logged-in') };
  const challenge = await passkeys.consumeChallenge(db, ceremony);
  const known = (await passkeys.listPasskeys(db, ceremony.staffId)).find(({ id }) => id === credential.id);
  const refuse = async () => {
    await auditFailedLogIn(dependencies, ceremony.staffId, 'passkey-refused');
    return { error: staffError('passkey-refused') };
  };
  if (!challenge || !known) return refuse();
  const { id: rpID, origin } = relyingParty(dependencies, client);
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: credential as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: known.id, publicKey: new Uint8Array(known.publicKey), counter: known.counter, transports: known.transports },
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!verified?.verified) return refuse();
  return openSession(dependencies, client, cookies, ceremony, async (tx) => {
    await passkeys.recordPasskeyUse(tx, known.id, verified.authenticationInfo.newCounter, clock.now());
    return true;
  });
}

/**
 * Stores a new passkey: of a person who is logged in, or of a log-in that needs a first one, which
 * it completes. Returns 'not-logged-in' without such a ceremony, and 'passkey-refused' for a wrong
 * response. Throws `ApiError` (rate-limited) like `countLogin`.
 */
export async function addPasskey(
  dependencies: PasskeyDependencies,
  client: PasskeyClient,
  cookies: CookieJar,
  credential: Credential,
): Promise<PasskeyOutcome> {
  const { db, clock, staff } = dependencies;
  const ceremony = await findCeremony(dependencies, client);
  // A ceremony follows a right password or a session.
  if (!ceremony) await countLogin(dependencies, client);
  if (!ceremony || ceremony.purpose === 'log-in') return { error: staffError('not-logged-in') };
  const caller = ceremony.purpose === 'add' ? await staff.findStaff(client) : undefined;
  if (ceremony.purpose === 'add' && caller?.id !== ceremony.staffId) return { error: staffError('not-logged-in') };
  const challenge = await passkeys.consumeChallenge(db, ceremony);
  if (!challenge) return { error: staffError('passkey-refused') };
  if (!hasNoCertificate(credential)) return { error: staffError('passkey-refused') };
  const { id: rpID, origin } = relyingParty(dependencies, client);
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: credential as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) return { error: staffError('passkey-refused') };
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const passkey = { id, publicKey: Buffer.from(publicKey), counter, transports };
  return openSession(dependencies, client, cookies, ceremony, (tx) => passkeys.insertPasskey(tx, ceremony.staffId, passkey, clock.now()));
}

/**
 * Runs `work` and ends the ceremony. Also logs the person in, except for a further passkey. Returns
 * an error if `work` returns false, the person was removed, a new password has ended the ceremony,
 * or a first passkey exists already.
 */
async function openSession(
  dependencies: PasskeyDependencies,
  client: Client,
  cookies: CookieJar,
  { tokenHash, staffId, purpose }: passkeys.PasskeyCeremony,
  work: (tx: Parameters<typeof store.lockMember>[0]) => Promise<boolean>,
): Promise<PasskeyOutcome> {
  const { db, clock, staff, devices } = dependencies;
  const cookie = cookieOf(dependencies);
  const opened = await transaction(db, async (tx) => {
    const person = await store.lockMember(tx, staffId);
    const now = clock.now();
    if (!person || !(await passkeys.findCeremony(tx, tokenHash, now))) return undefined;
    // The password alone is not enough once the person has a passkey.
    if (purpose === 'enrol' && (await passkeys.listPasskeys(tx, staffId)).length > 0) return undefined;
    if (!(await work(tx))) return undefined;
    await passkeys.deleteCeremony(tx, tokenHash);
    if (purpose !== 'log-in') await audit(tx, person, { action: 'add-passkey', subject: ['person', staffId] }, now);
    if (purpose === 'add') return { person };
    const session = await staff.createSession(tx, client, person);
    await audit(tx, person, { action: 'log-in', subject: ['person', staffId] }, now);
    return { person, session, device: await devices.remember(tx, client, person.mobile) };
  });
  if (!opened) return { error: staffError('passkey-refused') };
  opened.session?.setCookie(cookies);
  opened.device?.setCookie(cookies);
  cookies.clearCookie(cookie.name, cookie.options);
  return { data: toMe(opened.person) };
}
