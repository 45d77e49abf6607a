/**
 * `npm run claim -- …`: lists the claims of customers, answers them, and settles them
 * with a credit to the wallet or without.
 */
import { transaction, type Db, type Tx } from '../src/db/database.server.ts';
import { MAX_MESSAGE_LENGTH, type Claim } from '../src/domains/claims/contract.ts';
import { CLAIM_CREDIT_LIMITS } from '../src/domains/claims/rules.ts';
import { answerClaim, findAnyClaim, settleClaim, type ClaimAnswer, type ClaimSettlement } from '../src/domains/claims/service.server.ts';
import { listOpenClaims, lockClaim } from '../src/domains/claims/store.server.ts';
import { audit } from '../src/domains/staff/audit-store.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { kolkataDateTime } from '../src/lib/dates.ts';
import { asPaise, formatRupeesAndPaise as rupees, type Paise } from '../src/lib/money.ts';
import { printableLine } from '../src/lib/printable-text.ts';
import { commandAuthor } from './command-author.ts';
import { parseRupees, parseText } from './amounts.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run claim -- list
npm run claim -- show <claim>
npm run claim -- answer <claim> <text>
npm run claim -- settle <claim> <rupees | none> <text>`;

const commands: Commands = {
  list: {
    parameters: [],
    async run(db) {
      const claims = await listOpenClaims(db);
      const now = systemClock.now();
      const lines = claims.map(({ id, order_id, kind, status, answer_by }) =>
        [id, kind, `order ${order_id}`, status === 'open' ? describeDeadline(answer_by, now) : status].join('  '),
      );
      const hidden = (claims[0]?.total ?? 0) - claims.length;
      return lines.length > 0
        ? [...lines, ...(hidden > 0 ? [`and ${hidden} more, due later`] : [])].join('\n')
        : 'There are no open claims.';
    },
  },
  show: {
    parameters: ['claim'],
    async run(db, id: string) {
      const claim = await findAnyClaim(db, id, systemClock.now());
      if (!claim) throw new UsageError(NO_SUCH_CLAIM);
      return describeClaim(claim);
    },
  },
  answer: {
    parameters: ['claim'],
    acceptsMore: true,
    async run(db, id: string, ...words: string[]) {
      const message = parseText(words, 'text', MAX_MESSAGE_LENGTH);
      return describeResult('Answered', await change(db, { id, action: 'answer-claim' }, (tx, now) => answerClaim(tx, id, message, now)));
    },
  },
  settle: {
    parameters: ['claim', 'rupees'],
    acceptsMore: true,
    async run(db: Db, id: string, amount: string, ...words: string[]) {
      const message = parseText(words, 'text', MAX_MESSAGE_LENGTH);
      const amountPaise = amount === 'none' ? asPaise(0) : parseRupees(amount, CLAIM_CREDIT_LIMITS);
      const settlement = { id, amountPaise, message };
      const settled = await change(db, { id, action: 'settle-claim', amountPaise }, (tx, now) => settleClaim(tx, settlement, now));
      return describeResult('Settled', settled);
    },
  },
};

interface ClaimChange {
  id: string;
  action: 'answer-claim' | 'settle-claim';
  amountPaise?: Paise;
}

/** Makes a change of a claim, and records its author in the same transaction. */
const change = <Result extends ClaimAnswer | ClaimSettlement>(
  db: Db,
  { id, action, amountPaise }: ClaimChange,
  work: (tx: Tx, now: Date) => Promise<Result>,
) =>
  transaction(db, async (tx) => {
    const now = systemClock.now();
    const before = await lockClaim(tx, id);
    const result = await work(tx, now);
    if (result.status !== 'done') return result;
    const facts = amountPaise !== undefined && {
      before: { status: before?.status ?? null },
      after: { status: result.claim.status, amount_paise: amountPaise },
    };
    await audit(tx, commandAuthor(), { action, subject: ['claim', id], ...facts }, now);
    return result;
  });

const NO_SUCH_CLAIM = 'There is no such claim.';

const describeDeadline = (answerBy: Date, now: Date) => `${answerBy < now ? 'overdue since' : 'answer by'} ${kolkataDateTime(answerBy)}`;

const describeState = ({ claimid, kind, orderid, status, credited }: Claim): string =>
  `claim ${claimid}, ${kind}, order ${orderid}; ${status}${credited === null ? '' : ` with ${rupees(credited)}`}`;

const describeClaim = (claim: Claim): string =>
  [
    `C${describeState(claim).slice(1)}; reported ${claim.claim_date}, answer by ${claim.answer_by}`,
    ...claim.messages.map(({ author, message, message_date: date }) => `${date}  ${author}: ${printableLine(message)}`),
    ...(claim.photos.length > 0 ? [`photos: ${claim.photos.join(' ')}`] : []),
  ].join('\n');

/** Returns what was done. Throws `UsageError` if nothing was. */
function describeResult(action: string, result: ClaimAnswer | ClaimSettlement): string {
  switch (result.status) {
    case 'done':
      return `${action}: ${describeState(result.claim)}`;
    case 'unknown-claim':
      throw new UsageError(NO_SUCH_CLAIM);
    case 'already-answered':
      throw new UsageError(`Nothing was done: this answer is in the thread already, ${describeState(result.claim)}`);
    case 'already-settled':
      throw new UsageError(`Nothing was done: this is settled already, ${describeState(result.claim)}`);
    case 'no-wallet':
      throw new UsageError(
        `Nothing was done: a guest placed the order, and it is in no account. Ask the customer to sign up with the number of the order, ` +
          `or pay in another way and settle with none: ${describeState(result.claim)}`,
      );
  }
}

await runCommand(commands, USAGE);
