/** A stand-in for MSG91's flow API, which fills the registered template and delivers it. */
import { startStandIn, type StandInReply } from './stand-in.ts';

export const MSG91_KEY = 'key of the tests';
export const MSG91_TEMPLATE = '6730c0ffee';

/** `others` are further templates by their ids. */
export async function startMsg91(registeredText: string, others: Readonly<Record<string, string>> = {}) {
  const texts: Readonly<Record<string, string>> = { ...others, [MSG91_TEMPLATE]: registeredText };
  /** The messages that phones have received. */
  const phones: { mobile: string; text: string }[] = [];
  /** Responses instead of success, one for each request. The last one repeats. */
  let overrides: StandInReply[] = [];
  /** Whether it delivers despite such a response. */
  let deliversAnyway = false;

  const standIn = await startStandIn(({ headers, body }) => {
    const { template_id, recipients } = body as { template_id: string; recipients: Record<string, string>[] };
    if (headers.authkey !== MSG91_KEY) return { status: 401, json: { type: 'error', message: 'Unauthorized' } };
    const text = texts[template_id];
    if (text === undefined) return { status: 200, json: { type: 'error', message: 'template id missing' } };
    const override = overrides.length > 1 ? overrides.shift() : overrides[0];
    if (!override || deliversAnyway) {
      for (const { mobiles = '', ...variables } of recipients) {
        phones.push({ mobile: mobiles, text: text.replaceAll(/##(\w+)##/g, (_all, name: string) => variables[name] ?? '') });
      }
    }
    return override ?? { status: 200, json: { type: 'success', message: '376b6c6f7a' } };
  });
  return {
    ...standIn,
    phones,
    behave(next: StandInReply[] = [], { delivering = false } = {}) {
      overrides = [...next];
      deliversAnyway = delivering;
    },
  };
}

/** Returns the code in a delivered text, or an empty string. */
export const codeIn = (text: string) => /^(\d{6}) /.exec(text)?.[1] ?? '';
