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
import { audit, auditRefusedChange, type AuditRow } from './audit-store.server.ts';
import type { AuditSubject } from './desk/audit-contract.ts';
import { staffError, type StaffCall, type StaffCallPath } from './desk/contract.ts';
import type { StaffOutcome, StaffTransaction } from './service.server.ts';
import { reserveKey, setDone, setResponse } from './store.server.ts';

export interface WriteOptions {
  /** Throws `ApiError` (bad-request) without an Idempotency-Key. */
  requiresKey?: boolean;
}

interface OnceOptions<Response> extends WriteOptions {
  /**
   * Returns the response to a repeated request whose change was made. The first response of a
   * success is then not stored. Undefined: the caller may not read it any more.
   */
  respondAgain?(tx: Tx, now: Date): Promise<Response | undefined>;
}

/**
 * Runs `work` in a transaction, once for each Idempotency-Key of the person: a repeated request
 * gets the first response, or that of `respondAgain`. Throws `ApiError` (bad-request) for a
 * malformed key, for one that was sent with another call or body, and if the first response is not
 * stored: `done-before` if the change was made. What `work` throws is not stored. An error that
 * `work` returns is in the audit, in the same transaction.
 */
export async function writeOnce<Body, Data, Code extends string>(
  { db, clock }: { db: Db; clock: Clock },
  staff: StaffMember,
  request: FastifyRequest,
  call: StaffCall<Body, Data, Code>,
  work: (tx: Tx, now: Date) => Promise<Envelope<Data, Code>>,
  { requiresKey = false, respondAgain }: OnceOptions<Envelope<Data, Code>> = {},
): Promise<Envelope<Data, Code>> {
  const key = idempotencyKey(request);
  if (key === undefined && requiresKey) throw new ApiError('bad-request', staffError('staff-key-required'));
  return transaction(db, async (tx) => {
    const now = clock.now();
    const workAndAudit = async () => {
      const response = await work(tx, now);
      if (response.response !== 'success') await auditRefusedChange(tx, staff, describeRefusal(call, request, response), now);
      return response;
    };
    if (key === undefined) return workAndAudit();
    const requestHash = hash('sha256', JSON.stringify([call.path, request.body]), 'buffer');
    const row = { staffId: staff.id, key, requestHash };
    const first = await reserveKey(tx, row, now);
    if (first && !first.request_hash.equals(requestHash)) throw new ApiError('bad-request', staffError('staff-key-used'));
    const again = first?.response === null && first.is_done ? await respondAgain?.(tx, now) : undefined;
    if (again) return again;
    // The first request may have made its change, so that no other check may refuse this one.
    if (first?.response === null) throw new ApiError('bad-request', staffError(first.is_done ? 'done-before' : 'response-expired'));
    if (first) return first.response as Envelope<Data, Code>;
    const response = await workAndAudit();
    await (respondAgain && response.response === 'success' ? setDone(tx, row) : setResponse(tx, row, response));
    return response;
  });
}

/** The fields of bodies that name the subject of a change. */
const SUBJECTS = { orderid: 'order', claimid: 'claim', reviewid: 'review', personid: 'person' } as const satisfies Record<
  string,
  AuditSubject
>;

/** Returns what the audit has about a refused change: subject, call and error. */
function describeRefusal(call: { path: StaffCallPath }, { body }: FastifyRequest, { code: error }: { code: string }) {
  const fields = body as Partial<Record<string, unknown>> | null;
  const named = Object.entries(SUBJECTS).find(([field]) => typeof fields?.[field] === 'string');
  const subject: AuditRow['subject'] = named ? [named[1], String(fields?.[named[0]])] : ['call', call.path];
  return { subject, call: call.path, error };
}

/**
 * Records a request that does not match the contract. Its body has no subject that is safe to
 * record.
 */
async function auditInvalidBody(
  authentication: StaffAuthentication,
  request: FastifyRequest,
  { path }: { path: StaffCallPath },
  { code: error }: ErrorMessage,
) {
  const staff = await authentication.findStaff(request);
  await authentication.auditRefusal(request, staff, { path, error });
}

/** Returns true for an error that the request caused, other than by the number of requests. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.kind !== 'rate-limited' && error.kind !== 'unavailable';

export interface StaffCallDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

/** Returns the functions with which a domain registers its staff calls. Registers none itself. */
export function staffCalls(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  /**
   * Registers a call whose callers `requireStaff` authenticates. The audit has, within limits, each
   * request that does not match the contract or ends with an `ApiError`.
   */
  const registerStaffCall = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    handler: (staff: StaffMember, request: CallRequest<Body>) => Promise<Envelope<Data, NoInfer<Code>>>,
  ) =>
    registerRoute(
      call,
      async (request: CallRequest<Body>) => {
        const staff = await dependencies.staff.requireStaff(request, call);
        try {
          return await handler(staff, request);
        } catch (error) {
          const { db, clock } = dependencies;
          if (isRefusal(error)) await auditRefusedChange(db, staff, describeRefusal(call, request, error), clock.now());
          throw error;
        }
      },
      { onInvalidBody: (request, error) => auditInvalidBody(dependencies.staff, request, call, error) },
    );

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
