/** People of the staff for browser tests. */
import type { Page } from '@playwright/test';
import { newId } from '../../src/lib/ids.ts';
import type { Role } from '../../src/domains/staff/desk/contract.ts';
import { createPasswords } from '../../src/security/passwords.server.ts';
import type { BrowserTestProgram } from './built-program.ts';

export const STAFF_PASSWORD = 'a long password';
const passwordHash = createPasswords().hash(STAFF_PASSWORD);

export async function addStaff({ db, clock }: BrowserTestProgram, role: Role, name: string, mobile: string) {
  const row = { id: newId(), name, mobile, role, password_hash: await passwordHash, created_at: clock.now() };
  await db.insertInto('staff_members').values(row).execute();
  return { personid: row.id };
}

export async function logInStaff(page: Page, mobile: string, password = STAFF_PASSWORD) {
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

interface ConsoleVisit {
  role: Role;
  mobile: string;
  /** The screen. */
  path: string;
  name?: string;
}

/** Opens a screen of the console, and logs in as a new person. */
export async function openConsole(page: Page, program: BrowserTestProgram, { role, mobile, path, name = 'Anita Desai' }: ConsoleVisit) {
  await addStaff(program, role, name, mobile);
  await page.goto(path);
  await logInStaff(page, mobile);
}
