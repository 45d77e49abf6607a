/** Registers the calls of the staff, of every domain: authentication, and changes made once. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import type { Envelope } from '../../contract/define-call.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { respond, type CallRequest, type RegisterRoute } from '../../contract/route.server.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import type { StaffAuthentication, StaffMember } from './authentication.server.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { audit, type AuditRow } from './audit-store.server.ts';
import { staffError, type StaffCall } from './desk/contract.ts';
import type { StaffTransaction } from './service.server.ts';
import { reserveKey, storeResponse } from './store.server.ts';

export interface WriteOptions {
  /** Throws `ApiError` (bad-request) without an Idempotency-Key. */
  requiresKey?: boolean;
}

/**
 * Runs `work` in a transaction, once for each Idempotency-Key of the person: a repeated request
 * gets the first response. Throws `ApiError` (bad-request) for a malformed key, for one that was
 * sent with another call or body, and if the first response is no longer stored: `done-before` if
 * the change was made. What `work` throws is not stored.
 */
export async function writeOnce<Body, Data, Code extends string>(
  { db, clock }: { db: Db; clock: Clock },
  staff: StaffMember,
  request: FastifyRequest,
  call: StaffCall<Body, Data, Code>,
  work: (tx: Tx, now: Date) => Promise<Envelope<Data, Code>>,
  { requiresKey = false }: WriteOptions = {},
): Promise<Envelope<Data, Code>> {
  const key = idempotencyKey(request);
  if (key === undefined && requiresKey) throw new ApiError('bad-request', staffError('staff-key-required'));
  return transaction(db, async (tx) => {
    const now = clock.now();
    if (key === undefined) return work(tx, now);
    const requestHash = hash('sha256', JSON.stringify([call.path, request.body]), 'buffer');
    const row = { staffId: staff.id, key, requestHash };
    const first = await reserveKey(tx, row, now);
    if (first && !first.request_hash.equals(requestHash)) throw new ApiError('bad-request', staffError('staff-key-used'));
    // The first request may have made its change, so that no other check may refuse this one.
    if (first?.response === null) throw new ApiError('bad-request', staffError(first.is_done ? 'done-before' : 'answer-forgotten'));
    if (first) return first.response as Envelope<Data, Code>;
    const response = await work(tx, now);
    await storeResponse(tx, row, response);
    return response;
  });
}

export interface StaffCallDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

/** The result of a change, or the reason of its refusal, with its rows of the audit. */
export type StaffOutcome<Data, Code extends string> =
  /** No rows: the request changed nothing, because it repeats an earlier one. */
  { data: Data; audit: readonly AuditRow[]; error?: never } | { error: ErrorMessage<Code>; audit?: readonly AuditRow[] };

/** Returns the functions with which a domain registers its staff calls. Registers none itself. */
export function staffCalls(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  /** Registers a call whose callers `requireStaff` authenticates. */
  const registerStaffCall = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    handler: (staff: StaffMember, request: CallRequest<Body>) => Promise<Envelope<Data, NoInfer<Code>>>,
  ) => registerRoute(call, async (request: CallRequest<Body>) => handler(await dependencies.staff.requireStaff(request, call), request));

  /**
   * Registers a call that changes data, in the transaction of `writeOnce`, which also writes the
   * rows of the audit. A success responds with `message`.
   */
  const registerStaffChange = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    message: string | ((data: Data) => string),
    change: (context: StaffTransaction, body: Body) => Promise<StaffOutcome<Data, NoInfer<Code>>>,
    options?: WriteOptions,
  ) =>
    registerStaffCall(call, async (staff, request) =>
      writeOnce(
        dependencies,
        staff,
        request,
        call,
        async (tx, now) => {
          const outcome = await change({ tx, staff, now }, request.body);
          for (const row of outcome.audit ?? []) await audit(tx, staff, row, now);
          return respond(message, outcome);
        },
        options,
      ),
    );

  return { registerStaffCall, registerStaffChange };
}
