/** People of the staff for browser tests. */
import type { Locator, Page, Request, Route } from '@playwright/test';
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
  const person = await addStaff(program, role, name, mobile);
  await page.goto(path);
  await logInStaff(page, mobile);
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
