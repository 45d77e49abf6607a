/** MSG91's flow API: fills the registered template and delivers. */
import { startStandIn, type StandInReply } from './stand-in.ts';

export const MSG91_KEY = 'key of the tests';
export const MSG91_TEMPLATE = '6730c0ffee';

export async function startMsg91(registeredText: string) {
  /** What phones have received. */
  const phones: { mobile: string; text: string }[] = [];
  /** What it answers instead of success, for the next requests in turn; the last one stays. */
  let moods: StandInReply[] = [];
  /** Whether it delivers although its answer does not say so. */
  let deliversAnyway = false;

  const standIn = await startStandIn(({ headers, body }) => {
    const { template_id, recipients } = body as { template_id: string; recipients: Record<string, string>[] };
    if (headers.authkey !== MSG91_KEY) return { status: 401, json: { type: 'error', message: 'Unauthorized' } };
    if (template_id !== MSG91_TEMPLATE) return { status: 200, json: { type: 'error', message: 'template id missing' } };
    const mood = moods.length > 1 ? moods.shift() : moods[0];
    if (!mood || deliversAnyway) {
      for (const { mobiles = '', ...variables } of recipients) {
        phones.push({ mobile: mobiles, text: registeredText.replaceAll(/##(\w+)##/g, (_all, name: string) => variables[name] ?? '') });
      }
    }
    return mood ?? { status: 200, json: { type: 'success', message: '376b6c6f7a' } };
  });
  return {
    ...standIn,
    phones,
    behave(next: StandInReply[] = [], { delivering = false } = {}) {
      moods = [...next];
      deliversAnyway = delivering;
    },
  };
}

export const codeIn = (text: string) => /^(\d{6}) /.exec(text)?.[1] ?? '';
