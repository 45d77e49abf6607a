import { withTimeout } from '../../../lib/with-timeout.ts';
import { hostedChecks, TURNSTILE_ACTION, type HostedCheck } from '../contract.ts';
import { BotCheckFailed } from './bot-check-failed.ts';

interface Widget {
  sitekey: string;
  callback(token: string): void;
  'error-callback'(): void;
  'expired-callback'(): void;
}

/** The global objects that the scripts define. */
interface HostedScripts {
  turnstile?: {
    render(container: HTMLElement, widget: Widget & { action: string; appearance: 'interaction-only' }): string;
    remove(id: string): void;
  };
  grecaptcha?: {
    ready(then: () => void): void;
    render(container: HTMLElement, widget: Widget & { size: 'invisible' }): number;
    execute(id: number): void;
  };
}

const SCRIPT_TIMEOUT_MS = 20_000;
/** A suspected bot gets an interactive puzzle, which takes time to solve. */
const SOLVE_TIMEOUT_MS = 2 * 60_000;

/** Renders the widget and returns a function that removes it. */
type RenderWidget = (scripts: HostedScripts, container: HTMLElement, widget: Widget) => () => void;

const renderWidget: Record<HostedCheck, RenderWidget> = {
  turnstile: ({ turnstile }, container, widget) => {
    const id = turnstile?.render(container, { ...widget, action: TURNSTILE_ACTION, appearance: 'interaction-only' });
    return () => void (id && turnstile?.remove(id));
  },
  recaptcha: ({ grecaptcha }, container, widget) => {
    grecaptcha?.ready(() => grecaptcha.execute(grecaptcha.render(container, { ...widget, size: 'invisible' })));
    // reCAPTCHA has no remove function: removing its container removes it.
    return () => {};
  },
};

/**
 * Loads the script of a hosted bot check and shows its widget until it is solved. Returns the
 * token. Throws `BotCheckFailed` if the check fails, expires or times out.
 */
export async function solveHostedCheck(kind: HostedCheck, sitekey: string): Promise<string> {
  await loadScript(hostedChecks[kind].script);
  // An open dialog makes the rest of the page inert, so the widget must be inside it.
  const container = document.createElement('div');
  container.className = 'fixed inset-x-0 bottom-4 z-50 flex justify-center';
  (document.querySelector('dialog[open]') ?? document.body).append(container);
  let remove = () => {};
  try {
    return await withTimeout(
      new Promise<string>((resolve, reject) => {
        const failed = (reason: string) => () => reject(new BotCheckFailed(`The bot check ${reason}`));
        const widget = { sitekey, callback: resolve, 'error-callback': failed('failed'), 'expired-callback': failed('expired') };
        remove = renderWidget[kind](window as HostedScripts, container, widget);
      }),
      SOLVE_TIMEOUT_MS,
      tooLong,
    );
  } finally {
    remove();
    container.remove();
  }
}

/** By URL. Module state, because each script may define its globals only once in a document. */
const loadedScripts = new Map<string, Promise<void>>();

/**
 * Loads each script once. Throws `BotCheckFailed` if it does not load in time; the next call
 * retries.
 */
function loadScript(url: string): Promise<void> {
  const pending = loadedScripts.get(url);
  if (pending) return pending;
  const script = document.createElement('script');
  const loaded = withTimeout(
    new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new BotCheckFailed('The script of the bot check did not load')));
      script.src = url;
      document.head.append(script);
    }),
    SCRIPT_TIMEOUT_MS,
    tooLong,
  ).catch((error: unknown) => {
    // The next attempt loads it again.
    loadedScripts.delete(url);
    script.remove();
    throw error;
  });
  loadedScripts.set(url, loaded);
  return loaded;
}

const tooLong = () => new BotCheckFailed('The bot check took too long');
