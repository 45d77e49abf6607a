import type { Page } from '@playwright/test';

/** The newest code that went to the mobile, from the demonstration's outbox; 'none' where none did. */
export async function newestCode(page: Page, mobile: string): Promise<string> {
  const answer = await page.request.get(`/outbox.json?mobile=${mobile}`);
  return ((await answer.json()) as { code: string }[])[0]?.code ?? 'none';
}

/** A code that is not the one sent. */
export const wrongCode = (right: string) => (right === '000000' ? '111111' : '000000');

/** A call that is answered with this status, as if the server were down or refused. */
export const respondWith = (page: Page, path: string, status: number) =>
  page.route(`**/${path}`, (route) => route.fulfill({ status, json: { response: 'error', message: 'no', data: null } }));
