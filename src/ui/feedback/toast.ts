/** The current toast. It is outside React, so any browser code can show one. */
import type { Message } from '../../i18n/messages.ts';
import { createListeners } from '../../lib/store.ts';

export type ToastTheme = 'green' | 'red' | 'light' | 'dark';
export type Toast = { id: number; text: Message; theme: ToastTheme; durationMs: number };

/** How long a toast stays: short unless the specification names the long time. */
export const TOAST_MS = { short: 3000, long: 5000 } as const;

let toast: Toast | null = null;
let outlets: readonly string[] = [];
let lastId = 0;
const { subscribe, notify } = createListeners();

function publish(change: () => void): void {
  change();
  notify();
}

/** Shows a toast in place of the current one: two would cover the actions of a phone. */
export function showToast({ text, theme, durationMs = TOAST_MS.short }: Omit<Toast, 'id' | 'durationMs'> & { durationMs?: number }): void {
  lastId += 1;
  const next = { id: lastId, text, theme, durationMs };
  publish(() => (toast = next));
}

/** Without an id, dismisses any toast; with one, not a toast that has replaced it. */
export function dismissToast(id = toast?.id): void {
  if (toast?.id === id) publish(() => (toast = null));
}

export const subscribeToToasts = subscribe;

/**
 * Opens an outlet and returns a function that closes it. The outlet that was opened last shows the
 * toast, because a modal makes the rest of the page inert.
 */
export function openToastOutlet(outlet: string): () => void {
  publish(() => (outlets = [...outlets, outlet]));
  return () => publish(() => (outlets = outlets.filter((other) => other !== outlet)));
}

/** Returns the toast if the outlet was opened last. */
export function toastOfOutlet(outlet: string): Toast | null {
  return outlets.at(-1) === outlet ? toast : null;
}
