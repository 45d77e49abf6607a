/**
 * Keeps what is typed in a dialog until it is saved: a tap beside the dialog, a navigation back or
 * a reload loses nothing. The frame of the dialog has a `DialogDraft`, and calls `deleteDraft` once
 * the change is made. docs/decisions/0125.
 */
import { createContext, use, useState, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { changeDraft, draftOf, type Draft } from './draft-storage.ts';

/** The draft of the dialogs inside. Undefined: they keep nothing. */
const DialogContext = createContext<string | undefined>(undefined);

interface DialogDraftProps {
  /** Identifies the subject and the dialog. */
  name: string | undefined;
  children: ReactNode;
}

export function DialogDraft({ name, children }: DialogDraftProps) {
  return <DialogContext value={name}>{children}</DialogContext>;
}

/**
 * Returns the draft as it was at the first rendering, and `store`, which merges fields into the
 * stored draft.
 */
export function useDialogDraft(): { initialDraft: Draft; store(change: Draft): void } {
  const dialog = use(DialogContext);
  const [initialDraft] = useState(() => (dialog === undefined ? {} : draftOf(dialog)));
  return { initialDraft, store: (change) => dialog !== undefined && changeDraft(dialog, change) };
}

/**
 * As `useState`, for a field of a dialog: begins with the draft, and stores each value there. Its
 * setter accepts a value only, no function.
 */
export function useDraftField<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const { initialDraft, store } = useDialogDraft();
  const [value, setValue] = useState(() => (initialDraft[name] as Value | undefined) ?? initial);
  return [
    value,
    (next) => {
      setValue(next);
      store({ [name]: next });
    },
  ];
}

/** States that these fields of a dialog, or one of them, begin with the draft. */
export function DraftNotice({ fields }: { fields: readonly string[] }) {
  const { t } = useLanguage();
  const { initialDraft } = useDialogDraft();
  if (!fields.some((name) => initialDraft[name])) return null;
  return <p className="text-sm text-ink-soft">{t('Filled in as you typed it before.')}</p>;
}
