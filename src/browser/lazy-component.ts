import { lazy, type ComponentType } from 'react';
import { msg } from '../i18n/messages.ts';
import { SCRIPT_TIMEOUT_MS } from '../pre-hydration/handshake.ts';

/** The specified text (specification sections 8 and 9). */
export const SCRIPT_FAILED = msg('Loading chunk failed');

/** A script of the page did not load. */
export class ScriptFailed extends Error {
  override name = 'ScriptFailed';
  constructor(cause?: unknown) {
    super(SCRIPT_FAILED, { cause });
  }
}

/**
 * React's `lazy` with a deadline. The component throws `ScriptFailed` if its script does not load.
 * `preload` fetches the script before the first rendering.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  const preload = () => (loading ??= withDeadline(load).then((component) => ({ default: component })));
  // The next call loads the script again: a preload can fail long before the first rendering.
  const reset = () => (loading = undefined);
  return Object.assign(lazy(preload), { preload: () => void preload().catch(reset) });
}

/** Throws `ScriptFailed` if loading fails or takes too long. */
async function withDeadline<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ScriptFailed()), SCRIPT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), deadline]);
  } catch (error) {
    throw error instanceof ScriptFailed ? error : new ScriptFailed(error);
  } finally {
    clearTimeout(timer);
  }
}
