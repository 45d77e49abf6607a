import type { Send } from '../../browser/client.ts';

export interface RecordedCalls {
  send: Send;
  /** Repeats all calls. Returns false if a result differs or if any call failed, now or in the rendering. */
  areUnchanged(): Promise<boolean>;
}

/** Records the calls of one rendering. A document depends on nothing else, and repeating them costs less than rendering. */
export function recordCalls(send: Send): RecordedCalls {
  let failed = false;
  const checks: (() => Promise<boolean>)[] = [];
  const recordingSend: Send = async (call, body, options) => {
    try {
      const result = await send(call, body, options);
      const recorded = JSON.stringify(result);
      checks.push(async () => JSON.stringify(await send(call, body, options)) === recorded);
      return result;
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const areUnchanged = async () => {
    if (failed) return false;
    try {
      return (await Promise.all(checks.map((check) => check()))).every(Boolean);
    } catch {
      return false;
    }
  };
  return { send: recordingSend, areUnchanged };
}
