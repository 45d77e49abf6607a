import { fetchSend } from '../../../web/client.ts';
import { reportError } from '../contract.ts';

/** Sends a report; that it fails is no news for the customer. */
export async function sendReport(report: { message: string; stack: string | undefined; context: Record<string, unknown> }) {
  await fetchSend(reportError, { error: JSON.stringify(report) }).catch(() => {});
}
