/** Sending a code and confirming one. Design section 6, "Codes"; reliability bar, A1 to A3. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { english } from '../../i18n/language.tsx';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { Limit } from '../../db/limits.server.ts';
import { fail, ApiError, succeed } from '../../contract/route.server.ts';
import type { Envelope } from '../../contract/define-call.ts';
import type { RunLimitedByKey } from '../../security/concurrency-limit.server.ts';
import type { ClientRateLimits } from '../../security/client-rate-limits.server.ts';
import type { Brand } from '../../browser/brand.ts';
import type { BotCheck } from '../bot-check/provider.server.ts';
import { botCheckError } from '../bot-check/contract.ts';
import type { Messages } from '../messages/service.server.ts';
import { markUnsent, queueMessage } from '../messages/store.server.ts';
import {
  RESEND_AFTER_SECONDS,
  verificationError,
  verificationMessages,
  type confirmCode as confirmCodeCall,
  type Purpose,
  type sendCode as sendCodeCall,
} from './contract.ts';
import { grant, type Browser } from './authentication.server.ts';
import { NotChecked, NotSent, ProofRefused, type CodeProvider } from './provider.server.ts';
import { CODE_GOOD_FOR_SECONDS, codeText, MOST_WRONG_A_DAY, secondsUntilNextSend, wrongGuessesSince } from './rules.ts';
import * as store from './store.server.ts';

export interface VerificationParts {
  db: Db;
  clock: Clock;
  limits: ClientRateLimits;
  limitPerMobile: RunLimitedByKey;
  botCheck: BotCheck;
  codes: CodeProvider;
  messages: Messages;
  /** Its name is in the text of a code, its e-mail address in a refusal. */
  brand: Brand;
  /** The site's host, for WebOTP; undefined where it is not known. */
  host: string | undefined;
  /** Returns false for a number that no message can reach: no message is paid for it. */
  reaches(mobile: string): boolean;
  /** The time within which the customer sees whether the code was sent. */
  sendWithinMs: number;
  /**
   * Opens a session for a guest, who has no account to log in to, in the transaction that uses the code. It is passed by the
   * composition root, because accounts and orders come after this domain.
   */
  admitGuest(
    tx: Tx,
    request: FastifyRequest,
    proved: { browser: Browser; mobile: string },
  ): Promise<{ setCookies(reply: FastifyReply): void } | undefined>;
}

const SENDS_OF_NETWORK: Limit = { name: 'codes of a network', max: 20, windowSeconds: 60 * 60 };
/** Five times as many as the codes that may go there, with three tries each, can use in this time. */
const TRIES_OF_NETWORK: Limit = { name: 'tried codes of a network', max: 100, windowSeconds: 10 * 60 };
const SENDS_IN_ALL: Limit = { name: 'codes in all', max: 1000, windowSeconds: 60 * 60 };

/**
 * Runs `work` in a transaction, one at a time for each number. The lock holds in all processes; the concurrency limit before it keeps
 * a flood on one number from using every connection of this process. Throws `ApiError` (503) if the queue is full.
 */
const withMobile = <Result>(
  { db, limitPerMobile }: Pick<VerificationParts, 'db' | 'limitPerMobile'>,
  mobile: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  limitPerMobile(mobile, () =>
    transaction(db, async (tx) => {
      await store.lockMobile(tx, mobile);
      return work(tx);
    }),
  );

const TRY_AGAIN_AFTER_SECONDS = 5;

export interface SendRequest {
  browser: Browser;
  mobile: string;
  purpose: Purpose;
  proof: string;
  request: FastifyRequest;
}

type SendAnswer = Envelope<{ resend_after: number; expires_in: number }, keyof typeof sendCodeCall.errors>;

export async function sendCode(parts: VerificationParts, asked: SendRequest): Promise<SendAnswer> {
  const { mobile, proof } = asked;
  const deadline = AbortSignal.timeout(parts.sendWithinMs);
  if (!parts.reaches(mobile)) return fail(verificationError('sms-not-sent', { mobile }));
  if (!(await parts.botCheck.accepts(proof))) throw botCheckFailed(parts);

  const codeId = await reserveCode(parts, asked);
  try {
    await startCode(parts, asked, codeId, deadline);
  } catch (error) {
    return await undoStart(parts, asked, codeId, error);
  }
  return succeed(english.t(verificationMessages.sent, { mobile }), {
    resend_after: RESEND_AFTER_SECONDS,
    expires_in: CODE_GOOD_FOR_SECONDS,
  });
}

const botCheckFailed = ({ brand }: VerificationParts) => new ApiError(403, botCheckError('bot-check-failed', { email: brand.email }));

async function startCode(parts: VerificationParts, asked: SendRequest, codeId: number, deadline: AbortSignal) {
  const started = await parts.codes.start(asked.mobile, asked.proof, deadline);
  const queued = await queueCode(parts, asked, { codeId, ...started });
  if (queued !== undefined && !(await parts.messages.deliver(queued, deadline))) throw new NotSent('The message did not go out');
}

/** A failure was shown: the code stops working, whatever may still arrive. */
async function undoStart(parts: VerificationParts, { mobile, request }: SendRequest, codeId: number, error: unknown): Promise<SendAnswer> {
  const { db, clock } = parts;
  if (error instanceof ProofRefused) {
    // Whoever brings no proof must not use up the sends of a number that is perhaps another's.
    await store.forgetCode(db, codeId);
    throw botCheckFailed(parts);
  }
  await store.voidCode(db, codeId, clock.now());
  if (!(error instanceof NotSent)) throw error;
  request.log.warn({ err: error }, 'code not sent');
  return fail(verificationError('sms-not-sent', { mobile }));
}

/** Holds the limits and makes room for one code; from here on the send counts, whether or not it succeeds. */
const reserveCode = (
  { db, clock, limits, limitPerMobile }: VerificationParts,
  { browser, mobile, purpose, request }: SendRequest,
): Promise<number> =>
  withMobile({ db, limitPerMobile }, mobile, async (tx) => {
    const now = clock.now();
    if ((await store.wrongGuesses(tx, mobile, wrongGuessesSince(now))) >= MOST_WRONG_A_DAY) {
      throw new ApiError(429, verificationError('out-of-attempts'), DAY_SECONDS);
    }
    const wait =
      secondsUntilNextSend(await store.sendTimes(tx, mobile, addSeconds(now, -DAY_SECONDS)), now) ||
      (await limits.consumeForNetwork(tx, SENDS_OF_NETWORK, request)) ||
      (await limits.consumeGlobally(tx, SENDS_IN_ALL));
    if (wait > 0) throw new ApiError(429, verificationError('sms-not-sent', { mobile }), wait);

    const binding = { browser_hash: browser.hash, mobile, purpose };
    const earlier = await store.voidLiveCode(tx, binding, now);
    if (earlier?.message_id) await markUnsent(tx, earlier.message_id, 'withdrawn');
    return store.insertCode(tx, binding, now, addSeconds(now, CODE_GOOD_FOR_SECONDS));
  });

/** Makes the code confirmable and queues its message in one transaction. Undefined where the provider has sent it itself. */
const queueCode = (
  { db, clock, host, brand }: VerificationParts,
  { browser, mobile }: SendRequest,
  { codeId, handle, code }: { codeId: number; handle: string; code?: string },
): Promise<number | undefined> =>
  transaction(db, async (tx) => {
    const text = code && codeText(code, { brand: brand.name, host });
    const message = code && text ? await queueMessage(tx, { browser_hash: browser.hash, mobile, text, code }, clock.now()) : undefined;
    if (!(await store.attachHandle(tx, codeId, handle, message ?? null))) throw new NotSent('The code ended before its message was queued');
    return message;
  });

export interface ConfirmRequest {
  browser: Browser | undefined;
  mobile: string;
  purpose: Purpose;
  code: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

type ConfirmAnswer = Envelope<{ confirmed: true }, keyof typeof confirmCodeCall.errors>;

/** The try is taken before the code is looked at, and counts as wrong until it proves right: that is what holds under parallel guesses. */
export async function confirmCode(parts: VerificationParts, asked: ConfirmRequest): Promise<ConfirmAnswer> {
  const { browser, mobile, purpose, request } = asked;
  if (!browser) return fail(verificationError('out-of-attempts'));
  const wait = await parts.limits.consumeForNetwork(parts.db, TRIES_OF_NETWORK, request);
  if (wait > 0) throw new ApiError(429, verificationError('out-of-attempts'), wait);
  const binding = { browser_hash: browser.hash, mobile, purpose };
  // Whoever has no code here must not take turns of a number that is perhaps another's.
  if (!(await store.findLiveCode(parts.db, binding, parts.clock.now()))) return fail(verificationError('out-of-attempts'));
  const taken = await takeTry(parts, binding);
  if (!taken.code) return fail(taken.refusal);

  const { id, handle } = taken.code;
  if (!(await checkCode(parts, asked, handle)))
    return fail(taken.lastOfDay ? verificationError('out-of-attempts') : verificationError('wrong-code'));
  const used = await useCode(parts, asked, browser, id);
  if (!used) return fail(verificationError('wrong-code'));
  used.session?.setCookies(asked.reply);
  return succeed(verificationMessages.confirmed, { confirmed: true });
}

/** Uses the code up and does what it was asked for, wholly or not at all: after a failure the customer can confirm it again. */
const useCode = (
  { db, clock, admitGuest }: VerificationParts,
  { mobile, purpose, request }: ConfirmRequest,
  browser: Browser,
  id: number,
) =>
  transaction(db, async (tx) => {
    const now = clock.now();
    if (!(await store.useCode(tx, id, now))) return undefined;
    await grant(tx, { browser, mobile, purpose }, now);
    return { session: purpose === 'guest' ? await admitGuest(tx, request, { browser, mobile }) : undefined };
  });

const checkCode = ({ codes }: VerificationParts, { code, request }: ConfirmRequest, handle: string): Promise<boolean> =>
  codes.check(handle, code).catch((error: unknown) => {
    if (!(error instanceof NotChecked)) throw error;
    request.log.warn({ err: error }, 'code not checked');
    // The try stays taken: the provider may have judged it and only its answer was lost.
    throw new ApiError(503, verificationError('code-not-checked'), TRY_AGAIN_AFTER_SECONDS);
  });

type Try =
  | { code: { id: number; handle: string }; lastOfDay: boolean }
  | { code: undefined; refusal: ErrorMessage<'wrong-code' | 'out-of-attempts'> };

const takeTry = ({ db, clock, limitPerMobile }: VerificationParts, binding: store.Binding): Promise<Try> =>
  withMobile({ db, limitPerMobile }, binding.mobile, async (tx) => {
    const now = clock.now();
    const wrong = await store.wrongGuesses(tx, binding.mobile, wrongGuessesSince(now));
    if (wrong >= MOST_WRONG_A_DAY) return { code: undefined, refusal: verificationError('out-of-attempts') };
    const code = await store.takeTry(tx, binding, now);
    if (code) return { code, lastOfDay: wrong + 1 >= MOST_WRONG_A_DAY };
    return { code: undefined, refusal: verificationError((await store.findLiveCode(tx, binding, now)) ? 'wrong-code' : 'out-of-attempts') };
  });

/** A code counts in its number's limits for a day after it was sent. */
export const deleteExpiredVerifications = (db: Db, now: Date) =>
  store.deleteOldVerifications(db, { codesBefore: wrongGuessesSince(now), now });
