/** The typed fields of dialogs, stored in the tab until the change is made. */
import { tabStorage } from '../../../browser/tab-storage.ts';

/** The fields of a dialog by their names. */
export type Draft = Readonly<Record<string, unknown>>;

interface Drafts {
  /** The mobile number of the person who typed them, null without a log-in. */
  readonly owner: string | null;
  readonly byDialog: Readonly<Record<string, Draft>>;
}

const storage = tabStorage<Drafts>('staffdrafts', { owner: null, byDialog: {} });

/**
 * Sets the person whose drafts are stored. Deletes those of any other, and all without a log-in
 * (null).
 */
export function setDraftOwner(owner: string | null) {
  if (owner === null) storage.clear();
  else if (storage.get().owner !== owner) storage.set({ owner, byDialog: {} });
}

export const draftOf = (dialog: string): Draft => storage.get().byDialog[dialog] ?? {};

export function changeDraft(dialog: string, change: Draft) {
  const { owner, byDialog } = storage.get();
  // A dialog that reports a change after the log-out.
  if (owner === null) return;
  storage.set({ owner, byDialog: { ...byDialog, [dialog]: { ...byDialog[dialog], ...change } } });
}

export function deleteDraft(dialog: string) {
  const { owner, byDialog } = storage.get();
  const { [dialog]: saved, ...others } = byDialog;
  if (owner !== null && saved !== undefined) storage.set({ owner, byDialog: others });
}
