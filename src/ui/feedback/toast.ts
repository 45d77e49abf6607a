/** The current toast. It is outside React, so any browser code can show one. */
import type { Message } from '../../i18n/messages.ts';
import { createStore } from '../../lib/store.ts';

export type ToastTheme = 'green' | 'red' | 'light' | 'dark';
export type Toast = { id: number; text: Message; theme: ToastTheme; durationMs: number };

/** How long a toast stays: short unless the specification names the long time. */
export const TOAST_MS = { short: 3000, long: 5000 } as const;

const current = createStore<Toast | null>(null);
let outlets: readonly string[] = [];
let lastId = 0;

/** Shows a toast in place of the current one: two would cover the actions of a phone. */
export function showToast({ text, theme, durationMs = TOAST_MS.short }: Omit<Toast, 'id' | 'durationMs'> & { durationMs?: number }): void {
  lastId += 1;
  current.set({ id: lastId, text, theme, durationMs });
}

/** Dismisses the current toast. With an id, does nothing if another toast has replaced it. */
export function dismissToast(id = current.get()?.id): void {
  if (current.get()?.id === id) current.set(null);
}

export const subscribeToToasts = current.subscribe;

/** Sets the outlets, and moves the toast to the last one. */
function setOutlets(next: readonly string[]) {
  outlets = next;
  current.set(current.get());
}

/**
 * Opens an outlet and returns a function that closes it. The outlet that was opened last shows the
 * toast, because a modal makes the rest of the page inert.
 */
export function openToastOutlet(outlet: string): () => void {
  setOutlets([...outlets, outlet]);
  return () => setOutlets(outlets.filter((other) => other !== outlet));
}

/** Returns the toast if the outlet was opened last, otherwise null. */
export function toastOfOutlet(outlet: string): Toast | null {
  return outlets.at(-1) === outlet ? current.get() : null;
}
