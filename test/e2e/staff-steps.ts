/** People of the staff for browser tests. */
import type { Locator, Page, Request, Route } from '@playwright/test';
import { newId } from '../../src/lib/ids.ts';
import type { Role } from '../../src/domains/staff/desk/contract.ts';
import { createPasswords } from '../../src/security/passwords.server.ts';
import { insertStaffSession, STAFF_COOKIE } from '../support/staff.ts';
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

/**
 * Opens a screen of the console with the session of a new person. Tests of the log-in use
 * `logInStaff`: its form and the hash of the password cost as much as opening the screen.
 */
export async function openConsole(page: Page, program: BrowserTestProgram, { role, mobile, path, name = 'Anita Desai' }: ConsoleVisit) {
  const person = await addStaff(program, role, name, mobile);
  const value = await insertStaffSession(program, person.personid);
  await page.context().addCookies([{ name: STAFF_COOKIE, value, url: program.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(path);
  return person;
}

interface TypedWeighing {
  weight: string;
  pieces?: string;
  bags?: string;
}

/** Fills the form of a weighing, which stays open. */
export async function fillWeighing(dialog: Locator, { weight, pieces = '12', bags }: TypedWeighing) {
  await dialog.getByLabel('Weight (kg)').fill(weight);
  await dialog.getByLabel('Pieces').fill(pieces);
  if (bags !== undefined) await dialog.getByLabel('Bags').fill(bags);
}

/**
 * The server executes the first request to the URL, and `lose` replaces its response. Returns the
 * requests, to which later ones are added.
 */
export async function loseFirstResponse(page: Page, url: string, lose: (route: Route) => Promise<void>): Promise<readonly Request[]> {
  const requests: Request[] = [];
  await page.route(url, async (route) => {
    requests.push(route.request());
    if (requests.length > 1) return route.continue();
    await route.fetch();
    return lose(route);
  });
  return requests;
}

/** Responds as with a failing database. */
export const respondUnavailable = (route: Route) =>
  route.fulfill({ status: 503, json: { response: 'error', message: 'down', data: null } });

/** Returns the Idempotency-Key of a request. */
export const keyOf = (request: Request | undefined) => request?.headers()['idempotency-key'];
