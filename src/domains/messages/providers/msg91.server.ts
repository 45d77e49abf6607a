/**
 * MSG91's flow API (https://docs.msg91.com/sms/send-sms). In India an SMS refers to a template that
 * is registered with the operators (DLT). The gateway holds the text, including its WebOTP line,
 * and gets only its variables from us. docs/operations.md contains the texts to register.
 */
import { requestJson, ServiceUnreachable, type JsonResponse } from '../../../lib/http-client.server.ts';
import { NotAccepted, Rejected, type TextGateway } from '../provider.server.ts';

export interface Msg91Options {
  authKey: string;
  /** The ids of the flow's templates, each approved together with its DLT template. */
  templates: Readonly<Record<string, string | undefined>>;
  url: string;
  attemptMs: number;
}

export function msg91({ authKey, templates, url, attemptMs }: Msg91Options): TextGateway {
  return {
    keepsTexts: false,
    hasTemplate: (template) => templates[template] !== undefined,
    send: async ({ mobile, template, values }, deadline) => {
      const response = await requestJson(url, {
        headers: { authkey: authKey },
        body: { template_id: templates[template], short_url: '0', recipients: [{ mobiles: `91${mobile}`, ...values }] },
        signal: AbortSignal.any([deadline, AbortSignal.timeout(attemptMs)]),
      }).catch((error: unknown) => {
        throw error instanceof ServiceUnreachable ? new NotAccepted('MSG91 could not be reached', { cause: error }) : error;
      });
      assertAccepted(response);
    },
  };
}

/**
 * With these statuses the request was certainly not processed. After a 500 or a 504 that is
 * unknown.
 */
const NOT_PROCESSED = new Set([429, 503]);

/**
 * Throws `NotAccepted` if the message was not processed, and `Rejected` if MSG91 rejects it. After
 * any other `Error` it is unknown whether the message was sent.
 */
function assertAccepted({ status, json }: JsonResponse) {
  const { type, message } = (json ?? {}) as { type?: unknown; message?: unknown };
  if (status === 200 && type === 'success') return;
  if (NOT_PROCESSED.has(status)) throw new NotAccepted(`MSG91 returned ${status}`);
  const isRejection = (status === 200 && type === 'error') || (status >= 400 && status < 500);
  if (isRejection) throw new Rejected(`MSG91 returned ${status}: ${withoutNumbers(String(message))}`);
  throw new Error(`MSG91 returned ${status} without a result`);
}

/** For the log, which contains no mobile numbers and no codes. */
const withoutNumbers = (text: string) => text.replaceAll(/\d{4,}/g, '…').slice(0, 200);
