import { fetchSend } from '../../../browser/client.ts';
import { reportError } from '../contract.ts';

export const sendReport = (report: { message: string; stack: string | undefined; context: Record<string, unknown> }) =>
  fetchSend(reportError, { error: JSON.stringify(report) });
