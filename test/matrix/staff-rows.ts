/** One row for each staff call, with a body that succeeds for the roles of `STAFF_CALLS`. */
import {
  getAudit,
  getPeople,
  setPerson,
  setStaffPassword,
  staffLogin,
  staffLogout,
  staffMe,
  type StaffCall,
  type StaffPath,
} from '../../src/domains/staff/contract.ts';
import { encodeBody } from '../../src/contract/send.ts';
import { randomMobile } from '../support/seed-customers.ts';

/** What the bodies name. */
export interface StaffScene {
  /** Another person of the staff, a rider. */
  readonly colleagueId: string;
}

export interface StaffRow {
  readonly call: StaffCall<unknown, unknown>;
  /** False for a call that anyone makes and that needs a secret, which the row does not have. */
  readonly succeeds: boolean;
  body(scene: StaffScene): Record<string, unknown>;
}

function row<Body>(call: StaffCall<Body, unknown>, body: (scene: StaffScene) => NoInfer<Body>, { succeeds = true } = {}): StaffRow {
  return { call, succeeds, body: (scene) => JSON.parse(encodeBody(call, body(scene))) as Record<string, unknown> };
}

export const staffRows: Readonly<Record<StaffPath, StaffRow>> = {
  'staff/login': row(staffLogin, () => ({ mobile: randomMobile(), password: 'not the password' }), { succeeds: false }),
  'staff/logout': row(staffLogout, () => ({})),
  'staff/setpassword': row(setStaffPassword, () => ({ token: 'unknown', password: 'long enough' }), { succeeds: false }),
  'staff/me': row(staffMe, () => ({})),
  'staff/people': row(getPeople, () => ({})),
  'staff/setperson': row(setPerson, ({ colleagueId }) => ({
    action: 'change' as const,
    personid: colleagueId,
    name: 'Another name',
    role: 'operator' as const,
  })),
  'staff/audit': row(getAudit, () => ({})),
};
