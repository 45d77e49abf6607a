/** The browser's side of the hosted bot checks: their script is loaded once, their widget stands on the page while it is needed. */
import { hostedChecks, TURNSTILE_ACTION, type HostedCheck } from '../contract.ts';
import { BotCheckFailed } from './bot-check-failed.ts';

interface Widget {
  sitekey: string;
  callback(token: string): void;
  'error-callback'(): void;
  'expired-callback'(): void;
}

/** Their scripts leave these behind. */
interface HostedScripts {
  turnstile?: {
    render(place: HTMLElement, widget: Widget & { action: string; appearance: 'interaction-only' }): string;
    remove(id: string): void;
  };
  grecaptcha?: {
    ready(then: () => void): void;
    render(place: HTMLElement, widget: Widget & { size: 'invisible' }): number;
    execute(id: number): void;
  };
}

const SCRIPT_WITHIN_MS = 20_000;
/** A suspected bot is shown something to solve, and people take their time. */
const SOLVED_WITHIN_MS = 2 * 60_000;

/** Draws the widget and answers how to take it away again. */
type Draw = (scripts: HostedScripts, place: HTMLElement, widget: Widget) => () => void;

const draw: Record<HostedCheck, Draw> = {
  turnstile: ({ turnstile }, place, widget) => {
    const id = turnstile?.render(place, { ...widget, action: TURNSTILE_ACTION, appearance: 'interaction-only' });
    return () => void (id && turnstile?.remove(id));
  },
  recaptcha: ({ grecaptcha }, place, widget) => {
    grecaptcha?.ready(() => grecaptcha.execute(grecaptcha.render(place, { ...widget, size: 'invisible' })));
    // It has no way to be taken away but with its place.
    return () => {};
  },
};

export async function proveHosted(kind: HostedCheck, sitekey: string): Promise<string> {
  await loadScript(hostedChecks[kind].script);
  // An open dialog makes everything behind it inert: what a person may have to tick must stand in it.
  const place = document.createElement('div');
  place.className = 'fixed inset-x-0 bottom-4 z-50 flex justify-center';
  (document.querySelector('dialog[open]') ?? document.body).append(place);
  let remove = () => {};
  try {
    return await within(
      SOLVED_WITHIN_MS,
      new Promise<string>((resolve, reject) => {
        const failed = (what: string) => () => reject(new BotCheckFailed(`The bot check ${what}`));
        const widget = { sitekey, callback: resolve, 'error-callback': failed('failed'), 'expired-callback': failed('expired') };
        remove = draw[kind](window as HostedScripts, place, widget);
      }),
    );
  } finally {
    remove();
    place.remove();
  }
}

const loading = new Map<string, Promise<void>>();

function loadScript(address: string): Promise<void> {
  const known = loading.get(address);
  if (known) return known;
  const script = document.createElement('script');
  const loaded = within(
    SCRIPT_WITHIN_MS,
    new Promise<void>((resolve, reject) => {
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new BotCheckFailed('The script of the bot check did not load')));
      script.src = address;
      document.head.append(script);
    }),
  ).catch((error: unknown) => {
    // The next try loads it anew.
    loading.delete(address);
    script.remove();
    throw error;
  });
  loading.set(address, loaded);
  return loaded;
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new BotCheckFailed('The bot check took too long')), ms);
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
