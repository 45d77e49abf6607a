/** The list of toasts. It is outside React, so any browser code can show one. */
import type { Message } from '../../i18n/messages.ts';

export type ToastTheme = 'green' | 'red' | 'light' | 'dark';
export type Toast = { id: number; text: Message; theme: ToastTheme; durationMs: number };

/** How long a toast stays: short unless the specification names the long time. */
export const TOAST_MS = { short: 3000, long: 5000 } as const;
const STACK_LIMIT = 3;

let toasts: readonly Toast[] = [];
let outlets: readonly string[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const none: readonly Toast[] = [];

function publish(change: () => void): void {
  change();
  for (const listener of listeners) listener();
}

/** Shows a toast. It replaces a visible toast of the same text and theme. */
export function showToast({ text, theme, durationMs = TOAST_MS.short }: Omit<Toast, 'id' | 'durationMs'> & { durationMs?: number }): void {
  lastId += 1;
  const toast = { id: lastId, text, theme, durationMs };
  const key = JSON.stringify([text, theme]);
  const others = toasts.filter((other) => JSON.stringify([other.text, other.theme]) !== key);
  publish(() => (toasts = [...others, toast].slice(-STACK_LIMIT)));
}

export function dismissToast(id: number): void {
  publish(() => (toasts = toasts.filter((toast) => toast.id !== id)));
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Opens an outlet and returns a function that closes it. The outlet that was opened last shows the
 * toasts, because a modal makes the rest of the page inert.
 */
export function openToastOutlet(outlet: string): () => void {
  publish(() => (outlets = [...outlets, outlet]));
  return () => publish(() => (outlets = outlets.filter((other) => other !== outlet)));
}

/** Returns all toasts if the outlet was opened last, otherwise none. */
export function toastsOfOutlet(outlet: string): readonly Toast[] {
  return outlets.at(-1) === outlet ? toasts : none;
}

export function noToasts(): readonly Toast[] {
  return none;
}
