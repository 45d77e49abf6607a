import type { Page } from '@playwright/test';

/** Returns the newest code for the mobile from the outbox of the demonstration, or 'none'. */
export async function newestCode(page: Page, mobile: string): Promise<string> {
  const response = await page.request.get(`/outbox.json?mobile=${mobile}`);
  return ((await response.json()) as { code: string }[])[0]?.code ?? 'none';
}

/** Returns a code that differs from the correct one. */
export const wrongCode = (correct: string) => (correct === '000000' ? '111111' : '000000');

/** Fulfils a call with an error of this status. */
export const respondWith = (page: Page, path: string, status: number, code?: string) =>
  page.route(`**/${path}`, (route) =>
    route.fulfill({ status, json: { response: 'error', message: 'no', ...(code && { code, params: {} }), data: null } }),
  );
