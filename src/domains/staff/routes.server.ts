import { dayAfter, startOfDay } from '../../lib/dates.ts';
import { transaction } from '../../db/database.server.ts';
import { fail, respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, writeOnce } from './call-routes.server.ts';
import { getAudit } from './desk/audit-contract.ts';
import {
  getPeople,
  setPerson,
  checkStaffLink,
  setStaffPassword,
  staffError,
  staffLogin,
  staffLogout,
  staffMe,
  staffMessages as messages,
} from './desk/contract.ts';
import { readAudit } from './audit-service.server.ts';
import type { CreditLimit } from './credits-service.server.ts';
import * as service from './service.server.ts';

export function staffRoutes(
  registerRoute: RegisterRoute,
  dependencies: service.StaffDependencies & service.SecondFactor & service.StaffWorkload & CreditLimit,
) {
  const { db, staff } = dependencies;

  registerRoute(staffLogin, async (request, reply) =>
    respond(messages.loggedIn, await service.logIn(dependencies, request, reply, request.body)),
  );

  registerRoute(staffLogout, async (request, reply) => {
    await service.logOut(dependencies, request, reply);
    return succeed(messages.loggedOut, null);
  });

  registerRoute(setStaffPassword, async (request) =>
    respond(messages.passwordSet, await service.setPassword(dependencies, request, request.body)),
  );

  registerRoute(checkStaffLink, async (request) => respond(messages.found, await service.checkLink(dependencies, request.body.token)));

  registerRoute(staffMe, async (request) => {
    const person = await staff.findStaff(request);
    if (person) return succeed(messages.found, service.toMe(person));
    return fail(staffError(await staff.whyLoggedOut(request)));
  });

  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getPeople, async () =>
    succeed(messages.found, await service.listPeopleWithWorkload(db, dependencies, dependencies.clock.now())),
  );

  registerStaffCall(setPerson, async (owner, request) => {
    const { action } = request.body;
    const result = await writeOnce(dependencies, owner, request, setPerson, async (tx, now) =>
      respond(messages.personSaved, await service.changePersonAndUnassign(tx, owner, request.body, dependencies, now)),
    );
    if (result.response !== 'success' || (action !== 'add' && action !== 'link')) return result;
    const { personid } = result.data;
    const link = await transaction(db, (tx) => service.issueLink(tx, owner, personid, dependencies.clock.now()));
    return { ...result, data: { personid, link } };
  });

  registerStaffCall(getAudit, async (_staff, request) => {
    const { cursor, personid, action, subject, from, to } = request.body;
    const entries = await readAudit(db, {
      beforeId: cursor === undefined ? undefined : Number(cursor),
      personId: personid,
      action,
      subjectId: subject,
      from: from === undefined ? undefined : startOfDay(from),
      until: to === undefined ? undefined : startOfDay(dayAfter(to)),
    });
    return succeed(messages.found, entries);
  });
}
