import { kolkataDateTime } from '../../lib/dates.ts';
import type { Db } from '../../db/database.server.ts';
import { listAudit, type AuditFilter, type StoredAuditRow } from './audit-store.server.ts';
import { AUDIT_PAGE, PERSON_FIELDS, type AuditPage, type AuditSubject } from './desk/audit-contract.ts';
import { toPage } from './desk/paging.ts';
import { listNames } from './store.server.ts';

/** Returns a page of the audit, with the names of the people whom its entries name. */
export async function readAudit(db: Db, filter: Omit<AuditFilter, 'limit'>): Promise<AuditPage> {
  const rows = await listAudit(db, { ...filter, limit: AUDIT_PAGE + 1 });
  const { page, next } = toPage(rows, AUDIT_PAGE, ({ id }) => String(id));
  const people = await listNames(db, [...new Set(page.flatMap(peopleOf))]);
  return {
    entries: page.map(
      ({ id, at, staff_id: personid, command_user, name, role, action, subject_kind, subject_id: subject, before, after, has_others }) => ({
        entryid: String(id),
        at: kolkataDateTime(at),
        person: personid === null || name === null || role === null ? null : { personid, name, role },
        command_user,
        action,
        subject_kind,
        subject,
        before,
        after,
        has_others,
      }),
    ),
    names: Object.fromEntries(people.map(({ id, name }) => [id, name])),
    next,
  };
}

/** Returns the ids of the people whom an entry names beside its author. */
function peopleOf({ subject_kind: kind, subject_id: id, before, after }: StoredAuditRow): string[] {
  const audited = [before, after].flatMap((values) => PERSON_FIELDS.map((field) => values?.[field]));
  return [kind === ('person' satisfies AuditSubject) ? id : null, ...audited].filter((value) => typeof value === 'string');
}
