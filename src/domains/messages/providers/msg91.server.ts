/**
 * MSG91's flow API. In India an SMS is sent by naming a template that was registered with the operators (DLT) beforehand: the gateway holds the text,
 * its last line for WebOTP included, and we give it the code (docs/operations.md says which text to register).
 */
import { askOutside, NotReached, type OutsideAnswer } from '../../../lib/http-client.server.ts';
import { NotTaken, Rejected, type TextGateway } from '../provider.server.ts';

export interface Msg91Options {
  authKey: string;
  /** The flow's template, approved together with its DLT template. Its one variable is called code. */
  templateId: string;
  url: string;
  attemptMs: number;
}

export function msg91({ authKey, templateId, url, attemptMs }: Msg91Options): TextGateway {
  return {
    keepsTexts: false,
    send: async ({ mobile, code }, deadline) => {
      const answer = await askOutside(url, {
        headers: { authkey: authKey },
        body: { template_id: templateId, short_url: '0', recipients: [{ mobiles: `91${mobile}`, code }] },
        signal: AbortSignal.any([deadline, AbortSignal.timeout(attemptMs)]),
      }).catch((error: unknown) => {
        throw error instanceof NotReached ? new NotTaken('MSG91 could not be reached', { cause: error }) : error;
      });
      judge(answer);
    },
  };
}

/** These say that the request was turned away before anything was done with it. After a 500 or a gateway's time-out nobody knows. */
const TURNED_AWAY = new Set([429, 503]);

function judge({ status, json }: OutsideAnswer) {
  const { type, message } = (json ?? {}) as { type?: unknown; message?: unknown };
  if (status === 200 && type === 'success') return;
  if (TURNED_AWAY.has(status)) throw new NotTaken(`MSG91 answered ${status}`);
  const isRefusal = (status === 200 && type === 'error') || (status >= 400 && status < 500);
  if (isRefusal) throw new Rejected(`MSG91 answered ${status}: ${withoutNumbers(String(message))}`);
  throw new Error(`MSG91 answered ${status} and not whether it took the message`);
}

/** Goes to the log, which carries no mobile and no code. */
const withoutNumbers = (text: string) => text.replaceAll(/\d{4,}/g, '…').slice(0, 200);
