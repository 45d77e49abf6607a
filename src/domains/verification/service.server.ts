/** Sending a code. Design section 6, "Codes"; docs/security.md, A1 to A3. */
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { consumeLimit, readUses, releaseUse, type Limit } from '../../db/limits.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import type { RunLimitedByKey } from '../../security/concurrency-limit.server.ts';
import { networkBlock } from '../../security/client-network.server.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import { hashToken, type KeyedHash } from '../../security/tokens.server.ts';
import type { Brand } from '../../shared/brand.ts';
import type { BotCheck } from '../bot-check/provider.server.ts';
import { botCheckError } from '../bot-check/contract.ts';
import type { Messages } from '../messages/service.server.ts';
import { setUnsent, insertMessage } from '../messages/store.server.ts';
import { RESEND_AFTER_SECONDS, verificationError, type Purpose, type sendCode as sendCodeCall } from './contract.ts';
import type { Browser, KnownDevices } from './authentication.server.ts';
import { CodeNotSent, ProofRejected, type CodeProvider } from './provider.server.ts';
import {
  CODE_LIFETIME_SECONDS,
  CODES_PER_HOUR,
  CODES_WORTH_A_WARNING,
  codeText,
  GRANT_LIFETIME_SECONDS,
  guessesLeft,
  proofOfWorkDifficulty,
  secondsUntilNextSend,
  wrongGuessesSince,
  type CodeRequestOutcome,
} from './rules.ts';
import * as store from './store.server.ts';

export interface VerificationDependencies {
  db: Db;
  clock: Clock;
  limits: ClientRateLimits;
  devices: KnownDevices;
  /** Hashes the networks that request codes. */
  hash: KeyedHash;
  hashMobile: KeyedHash;
  /** Counts the outcome of a request for a code, for the metrics. */
  countRequest(outcome: CodeRequestOutcome): void;
  limitPerMobile: RunLimitedByKey;
  botCheck: BotCheck;
  codes: CodeProvider;
  messages: Messages;
  /** The message contains its name; the error of the bot check contains its e-mail address. */
  brand: Brand;
  /** The site's host, for WebOTP. Undefined if the installation has no public URL. */
  host: string | undefined;
  /** Returns false for a number that no message can reach, so that none is paid for. */
  canReceive(mobile: string): boolean;
  /** The call that sends a code responds within this time. */
  sendTimeoutMs: number;
  /**
   * Creates a session for a confirmed guest code, in the transaction that marks the code as used.
   * Returns undefined if a customer is logged in or no grant exists. The composition root passes
   * it, because this domain must not import accounts and orders.
   */
  createGuestSession(
    tx: Tx,
    client: Client,
    verified: { browser: Browser; mobile: string },
  ): Promise<{ setCookies(cookies: CookieJar): void } | undefined>;
}

const SENDS_PER_NETWORK: Limit = { name: 'codes of a network', max: 20, windowSeconds: 60 * 60 };
/** Higher than `SENDS_PER_NETWORK`, because a proof can fail in the browser of a customer too. */
const REMOTE_CHECKS_PER_NETWORK: Limit = { name: 'remote bot checks of a network', max: 60, windowSeconds: 10 * 60 };
/** The known devices of a mobile share it: each log-in without the cookie creates a device. */
const REMOTE_CHECKS_PER_MOBILE: Limit = { name: 'remote bot checks of known devices', max: 20, windowSeconds: 10 * 60 };
const SENDS_TOTAL: Limit = { name: 'codes in all', max: CODES_PER_HOUR.knownDevice, windowSeconds: 60 * 60 };
const allCodes = (now: Date) => ({ ...SENDS_TOTAL, subject: 'all', now });

/** Returns the factor by which the proof-of-work difficulty is raised. */
export const currentDifficulty = async ({ db, clock }: Pick<VerificationDependencies, 'db' | 'clock'>): Promise<number> =>
  proofOfWorkDifficulty(await readUses(db, allCodes(clock.now())));

/**
 * Runs `work` in a transaction, one at a time for each mobile in all processes. The concurrency
 * limit keeps requests that wait for the lock from using every connection of this process. Known
 * devices have their own queue, which unknown ones cannot fill. Throws `QueueFull` if it is full.
 */
export const withMobileLock = <Result>(
  { db, limitPerMobile }: Pick<VerificationDependencies, 'db' | 'limitPerMobile'>,
  { mobile, isKnownDevice }: { mobile: string; isKnownDevice: boolean },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  limitPerMobile(`${mobile} ${isKnownDevice ? 'known' : 'unknown'}`, () =>
    transaction(db, async (tx) => {
      await store.lockMobile(tx, mobile);
      return work(tx);
    }),
  );

export interface SendRequest {
  browser: Browser;
  mobile: string;
  purpose: Purpose;
  proof: string;
  client: Client;
}

type SendResult = Outcome<{ resend_after: number; expires_in: number }, keyof typeof sendCodeCall.errors>;

/**
 * Sends a code within the deadline. Returns an error if the number cannot receive messages
 * or the message was not sent. Throws `ApiError`: forbidden after a failed bot check, rate-limited
 * over a limit of the number, of the network or of all codes. Throws `QueueFull` if too many calls
 * for the mobile wait.
 */
export async function sendCode(dependencies: VerificationDependencies, input: SendRequest): Promise<SendResult> {
  const { mobile, proof } = input;
  const deadline = AbortSignal.timeout(dependencies.sendTimeoutMs);
  if (!dependencies.canReceive(mobile)) return { error: verificationError('sms-not-sent', { mobile }) };
  if (dependencies.botCheck.verifiesRemotely) await countRemoteCheck(dependencies, input);
  // Half of the current difficulty is enough: it may have doubled since the browser got the
  // challenge.
  if (!(await dependencies.botCheck.accepts(proof, (await currentDifficulty(dependencies)) / 2))) throw botCheckFailed(dependencies);

  const reserved = await reserveCode(dependencies, input);
  try {
    await startCode(dependencies, input, reserved.codeId, deadline);
  } catch (error) {
    return await handleSendFailure(dependencies, input, reserved, error);
  }
  dependencies.countRequest('sent');
  return {
    data: {
      resend_after: RESEND_AFTER_SECONDS,
      expires_in: CODE_LIFETIME_SECONDS,
    },
  };
}

/**
 * Counts a check by a third party before it is requested: an invented proof costs its sender
 * nothing. The known devices of a mobile have a limit of their own, because other people may share
 * their networks. Beyond it they count in the limit of their network, so that one of them cannot
 * refuse the others. Throws `ApiError` (rate-limited) over the limit.
 */
async function countRemoteCheck(dependencies: VerificationDependencies, { mobile, client }: SendRequest): Promise<void> {
  const { db, clock, devices, hashMobile, limits } = dependencies;
  if (await devices.find(db, client, mobile)) {
    const subject = hashMobile(mobile).toString('hex');
    const result = await consumeLimit(db, { ...REMOTE_CHECKS_PER_MOBILE, subject, now: clock.now() });
    if (result.allowed) return;
  }
  const wait = await limits.consumeForNetwork(db, REMOTE_CHECKS_PER_NETWORK, client);
  if (wait > 0) throw tooManySends(dependencies, mobile, 'limit-of-network', wait);
}

/** Counts the rejected request and returns the error to throw. */
function botCheckFailed({ brand, countRequest }: VerificationDependencies) {
  countRequest('bot-check-failed');
  return new ApiError('forbidden', botCheckError('bot-check-failed', { email: brand.email }));
}

/** Starts a code and sends its message. Throws `CodeNotSent`, and `ProofRejected` by Firebase. */
async function startCode(dependencies: VerificationDependencies, input: SendRequest, codeId: number, deadline: AbortSignal) {
  const started = await dependencies.codes.start(input.mobile, input.proof, deadline);
  const queued = await queueCode(dependencies, input, { codeId, ...started });
  if (queued !== undefined && !(await dependencies.messages.deliver(queued, deadline))) throw new CodeNotSent('The message was not sent');
}

/**
 * Voids the code, because the customer sees an error although the message may still arrive. Returns
 * the error of a `CodeNotSent`, and throws any other `error`. For a rejected proof, deletes the
 * code and throws `ApiError` (forbidden).
 */
async function handleSendFailure(
  dependencies: VerificationDependencies,
  { mobile, client }: SendRequest,
  { codeId, reservedAt }: ReservedCode,
  error: unknown,
): Promise<SendResult> {
  const { db, clock } = dependencies;
  if (error instanceof ProofRejected) {
    // Without a valid proof, the request must not count in the limits of the mobile, which may
    // belong to another person, nor in the codes of all. It counts in the limit of its network.
    await store.deleteCode(db, codeId);
    await releaseUse(db, allCodes(reservedAt));
    throw botCheckFailed(dependencies);
  }
  await store.voidCode(db, codeId, clock.now());
  dependencies.countRequest('not-sent');
  if (!(error instanceof CodeNotSent)) throw error;
  client.log.warn({ err: error }, 'code not sent');
  return { error: verificationError('sms-not-sent', { mobile }) };
}

interface ReservedCode {
  codeId: number;
  reservedAt: Date;
}

/**
 * Enforces the rate limits, voids the earlier code and inserts a row for the new one. From here on
 * the send counts in the limits, whether or not it succeeds. Throws `ApiError` (rate-limited) over
 * a limit, and `QueueFull`.
 */
async function reserveCode(dependencies: VerificationDependencies, input: SendRequest): Promise<ReservedCode> {
  const { db, clock, devices, hash, hashMobile } = dependencies;
  const { browser, mobile, purpose, client } = input;
  const device = await devices.find(db, client, mobile);
  const isKnownDevice = device !== undefined;
  const requester = {
    browser_hash: browser.hash,
    network_hash: hash(networkBlock(client.network)),
    device_hash: isKnownDevice ? hashToken(device) : null,
  };
  const { codesThisHour, ...reserved } = await withMobileLock(dependencies, { mobile, isKnownDevice }, async (tx) => {
    const now = clock.now();
    const recent = await store.listRecentCodes(
      tx,
      { ...requester, mobile, mobileHash: hashMobile(mobile) },
      { since: wrongGuessesSince(now), now },
    );
    if (guessesLeft({ recent, isKnownDevice }) === 0) {
      dependencies.countRequest('limit-of-mobile');
      throw new ApiError('rate-limited', verificationError('out-of-attempts'), DAY_SECONDS);
    }
    const wait = secondsUntilNextSend({ recent, isKnownDevice }, now);
    if (wait > 0) throw tooManySends(dependencies, mobile, 'limit-of-mobile', wait);
    const counted = await countSend(tx, dependencies, { ...input, ...requester, isKnownDevice }, now);

    const previous = await store.voidLiveCode(tx, { browser_hash: browser.hash, mobile, purpose }, now);
    if (previous?.message_id) await setUnsent(tx, previous.message_id, 'withdrawn');
    const code = { ...requester, mobile, purpose, known_device: isKnownDevice };
    return {
      codeId: await store.insertCode(tx, { ...code, created_at: now, expires_at: addSeconds(now, CODE_LIFETIME_SECONDS) }),
      reservedAt: now,
      codesThisHour: counted,
    };
  });
  // One request of all processes gets this count, so each hour has at most one such line.
  if (codesThisHour === CODES_WORTH_A_WARNING)
    client.log.warn({ codesThisHour, max: CODES_PER_HOUR }, 'half of the codes of this hour are sent');
  return reserved;
}

/**
 * Counts a send in the limits of its network and of all. Returns the number of codes of this hour.
 * Throws `ApiError` (rate-limited) over a limit. Known devices do not count in the limit of their
 * network, because other people may share it.
 */
async function countSend(
  tx: Tx,
  dependencies: VerificationDependencies,
  { mobile, client, network_hash, isKnownDevice }: SendRequest & { network_hash: Buffer; isKnownDevice: boolean },
  now: Date,
): Promise<number> {
  const wait = isKnownDevice ? 0 : await dependencies.limits.consumeForNetwork(tx, SENDS_PER_NETWORK, client);
  if (wait > 0) throw tooManySends(dependencies, mobile, 'limit-of-network', wait);
  const isKnownNetwork = await store.isKnownNetwork(tx, network_hash, addSeconds(now, -DAY_SECONDS));
  const sender = isKnownDevice ? 'knownDevice' : isKnownNetwork ? 'knownNetwork' : 'unknownDevice';
  const result = await consumeLimit(tx, { ...allCodes(now), max: CODES_PER_HOUR[sender] });
  if (!result.allowed) throw tooManySends(dependencies, mobile, 'limit-of-all', result.retryAfterSeconds);
  return result.uses;
}

/** Counts the rejected request and returns the error to throw. */
function tooManySends({ countRequest }: VerificationDependencies, mobile: string, outcome: CodeRequestOutcome, waitSeconds: number) {
  countRequest(outcome);
  return new ApiError('rate-limited', verificationError('sms-not-sent', { mobile }), waitSeconds);
}

/**
 * Makes the code confirmable and queues its message in one transaction. Returns the id of the
 * message, or undefined if the provider has sent it. Throws CodeNotSent if a resend voided the
 * code.
 */
const queueCode = (
  { db, clock, host, brand }: VerificationDependencies,
  { browser, mobile }: SendRequest,
  { codeId, handle, code }: { codeId: number; handle: string; code?: string },
): Promise<number | undefined> =>
  transaction(db, async (tx) => {
    const text = code && codeText(code, { brand: brand.name, host });
    const message = code && text ? await insertMessage(tx, { browser_hash: browser.hash, mobile, text, code }, clock.now()) : undefined;
    if (!(await store.setHandle(tx, codeId, handle, message ?? null)))
      throw new CodeNotSent('The code was voided before its message was queued');
    return message;
  });

/**
 * Deletes old codes, expired grants and expired known devices. Keeps a code for the day in which it
 * counts in the limits of its mobile.
 */
export const deleteExpiredVerifications = (db: Db, now: Date): Promise<void> =>
  store.deleteOldVerifications(db, {
    now,
    codesAfter: wrongGuessesSince(now),
    latestCreation: addSeconds(now, MAX_CLOCK_SKEW_SECONDS),
    latestExpiry: addSeconds(now, GRANT_LIFETIME_SECONDS + MAX_CLOCK_SKEW_SECONDS),
  });
