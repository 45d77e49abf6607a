/** Confirming a code. Design section 6, "Codes"; docs/security.md, A1 and A3. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { verificationError, type confirmCode as confirmCodeCall, type Purpose } from './contract.ts';
import { createGrant, type Browser } from './authentication.server.ts';
import { CodeNotChecked } from './provider.server.ts';
import { guessesLeft, wrongGuessesSince } from './rules.ts';
import { withMobileLock, type VerificationDependencies } from './service.server.ts';
import * as store from './store.server.ts';

/** Higher than the attempts that the codes sent to one network allow. */
const ATTEMPTS_PER_NETWORK: Limit = { name: 'tried codes of a network', max: 100, windowSeconds: 10 * 60 };

const RETRY_AFTER_SECONDS = 5;

export interface ConfirmRequest {
  browser: Browser | undefined;
  mobile: string;
  purpose: Purpose;
  code: string;
  client: Client;
  cookies: CookieJar;
}

type ConfirmResult = Outcome<{ confirmed: true }, keyof typeof confirmCodeCall.errors>;

/**
 * Confirms a code and creates its grant. For a guest it also creates a session and sets its
 * cookies. Returns an error for a wrong code. Throws `ApiError`: rate-limited if the network made
 * too many attempts, unavailable if the provider could not check the code. Throws `QueueFull` if
 * too many calls for the mobile wait. The attempt is counted as wrong before the check, so that
 * concurrent guesses cannot exceed the limits; `setCodeUsed` reverts the count for a correct code.
 */
export async function confirmCode(dependencies: VerificationDependencies, input: ConfirmRequest): Promise<ConfirmResult> {
  const { browser, mobile, purpose, client } = input;
  if (!browser) return { error: verificationError('out-of-attempts') };
  const binding = { browser_hash: browser.hash, mobile, purpose };
  const live = await store.findLiveCode(dependencies.db, binding, dependencies.clock.now());
  // A browser without a code, or with a code without attempts, must use neither the attempts of its
  // network nor the concurrency limit of the mobile: both may belong to other people, and it paid
  // for no attempt.
  if (!live) return { error: verificationError('out-of-attempts') };
  if (live.tries_left === 0)
    return {
      error: verificationError((await readGuessesLeft(dependencies, dependencies.db, binding, live)) ? 'wrong-code' : 'out-of-attempts'),
    };
  const wait = live.known_device ? 0 : await dependencies.limits.consumeForNetwork(dependencies.db, ATTEMPTS_PER_NETWORK, client);
  if (wait > 0) throw new ApiError('rate-limited', verificationError('out-of-attempts'), wait);
  const attempt = await recordAttempt(dependencies, binding, live);
  if (!attempt.code) return { error: attempt.error };

  const { id, handle } = attempt.code;
  if (!(await checkCode(dependencies, input, handle)))
    return { error: attempt.isLastOfDay ? verificationError('out-of-attempts') : verificationError('wrong-code') };
  const used = await consumeCode(dependencies, input, browser, id);
  if (!used) return { error: verificationError('wrong-code') };
  used.session?.setCookies(input.cookies);
  used.device.setCookie(input.cookies);
  return { data: { confirmed: true } };
}

/**
 * Marks the code as used, remembers the device and creates the grant or the guest session, in one
 * transaction: after a failure the customer can confirm the code again. Returns the session and the
 * device, whose cookies the caller sets, or undefined if the code is no longer valid.
 */
const consumeCode = (
  { db, clock, devices, createGuestSession }: VerificationDependencies,
  { mobile, purpose, client }: ConfirmRequest,
  browser: Browser,
  id: number,
) =>
  transaction(db, async (tx) => {
    const now = clock.now();
    if (!(await store.setCodeUsed(tx, id, now))) return undefined;
    await createGrant(tx, { browser, mobile, purpose }, now);
    // Sessions before devices, as in a log-out, so that the two cannot deadlock.
    const session = purpose === 'guest' ? await createGuestSession(tx, client, { browser, mobile }) : undefined;
    return { session, device: await devices.remember(tx, client, mobile) };
  });

/**
 * Returns whether the code is correct. Throws `ApiError` (unavailable) if the provider could not
 * check the code.
 */
const checkCode = ({ codes }: VerificationDependencies, { code, client }: ConfirmRequest, handle: string): Promise<boolean> =>
  codes.check(handle, code).catch((error: unknown) => {
    if (!(error instanceof CodeNotChecked)) throw error;
    client.log.warn({ err: error }, 'code not checked');
    // The attempt stays counted: the provider may have checked the code and only the response was
    // lost.
    throw new ApiError('unavailable', verificationError('code-not-checked'), RETRY_AFTER_SECONDS);
  });

type LiveCode = NonNullable<Awaited<ReturnType<typeof store.findLiveCode>>>;

/** Reads the recent codes of the mobile and returns `guessesLeft` of this browser. */
async function readGuessesLeft(
  { clock, hashMobile }: Pick<VerificationDependencies, 'clock' | 'hashMobile'>,
  db: Db,
  binding: store.Binding,
  { known_device: isKnownDevice, network_hash, device_hash }: LiveCode,
): Promise<number> {
  const now = clock.now();
  const requester = { ...binding, network_hash, device_hash, mobileHash: hashMobile(binding.mobile) };
  const recent = await store.listRecentCodes(db, requester, { since: wrongGuessesSince(now), now });
  return guessesLeft({ recent, isKnownDevice });
}

type Attempt =
  | { code: { id: number; handle: string }; isLastOfDay: boolean }
  | { code: undefined; error: ErrorMessage<'wrong-code' | 'out-of-attempts'> };

/**
 * Counts an attempt at the live code before it is checked. Returns an error if there is no live
 * code with an attempt left. Throws `QueueFull` if too many calls for the mobile wait.
 */
const recordAttempt = (dependencies: VerificationDependencies, binding: store.Binding, live: LiveCode): Promise<Attempt> =>
  withMobileLock(dependencies, { mobile: binding.mobile, isKnownDevice: live.known_device }, async (tx) => {
    const now = dependencies.clock.now();
    const left = await readGuessesLeft(dependencies, tx, binding, live);
    if (left === 0) return { code: undefined, error: verificationError('out-of-attempts') };
    const code = await store.recordAttempt(tx, binding, now);
    if (code) return { code, isLastOfDay: left === 1 };
    return { code: undefined, error: verificationError((await store.findLiveCode(tx, binding, now)) ? 'wrong-code' : 'out-of-attempts') };
  });
