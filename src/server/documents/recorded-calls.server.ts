import type { Send } from '../../browser/client.ts';

export interface RecordedCalls {
  send: Send;
  /** Asks all calls again. False when one of them answers otherwise, or none at all now or then. */
  answerTheSame(): Promise<boolean>;
}

/** The calls that a rendering makes, kept to be asked again: what a document says comes from them alone, and asking takes a small part of rendering. */
export function recordCalls(send: Send): RecordedCalls {
  let failed = false;
  const again: (() => Promise<boolean>)[] = [];
  const recorded: Send = async (call, body, options) => {
    try {
      const answer = await send(call, body, options);
      const told = JSON.stringify(answer);
      again.push(async () => JSON.stringify(await send(call, body, options)) === told);
      return answer;
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const answerTheSame = async () => {
    if (failed) return false;
    try {
      return (await Promise.all(again.map((ask) => ask()))).every(Boolean);
    } catch {
      return false;
    }
  };
  return { send: recorded, answerTheSame };
}
