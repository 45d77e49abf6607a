/**
 * Error reports that browsers send automatically. Specification sections 7 and 8; design section 6,
 * "Errors".
 */
import * as z from 'zod/mini';
import { defineErrors } from '../../contract/errors.ts';
import { defineCall, noData } from '../../contract/define-call.ts';

export const errorReportError = defineErrors({ 'too-many-error-reports': 'Too many error reports, thank you' });

export const reportError = defineCall({
  method: 'POST',
  path: 'error/adderror.php',
  summary: 'Report an error: JSON text with message, stack and context. Secrets are removed and long texts truncated.',
  caller: 'anyone',
  errors: errorReportError.texts,
  body: z.object({ error: z.string() }),
  data: noData,
});
