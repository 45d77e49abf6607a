import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Message } from '../../../i18n/messages.ts';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { DraftNotice, useDraftField } from './dialog-draft.tsx';
import { SettlingAnswer } from './settling-answer.tsx';

interface TextDialogProps {
  open: boolean;
  title: string;
  label: string;
  submitLabel: string;
  /** The button to close of a dialog that destroys something. By default 'Cancel'. */
  keepLabel?: string;
  pending: boolean;
  /** The error of an empty or impossible text. Without it, the text is optional. */
  required?: string;
  isPossible?(text: string): boolean;
  /** Why the text cannot be submitted now. */
  locked?: string | undefined;
  /** The text is a number of at most this number of digits. */
  digits?: number;
  /** The question before an unusual text is submitted, and the label of the button after that. */
  questionOf?(text: string): { question: string; submitLabel: string } | undefined;
  children?: ReactNode;
  /**
   * Resolves to true if the dialog closes. `refuse` shows an error: of a number at the field, and
   * else below it, because the server refuses the change and not the text.
   */
  onSubmit(text: string, refuse: (error: Message) => void): Promise<boolean>;
  onClose(): void;
}

/** Asks for one line: a reason, a note or a code. */
export function TextDialog({ open, title, onClose, ...rest }: TextDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <TextForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

type TextFormProps = Omit<TextDialogProps, 'open' | 'title'>;

function TextForm({
  label,
  submitLabel,
  keepLabel,
  pending,
  required,
  isPossible = Boolean,
  locked,
  digits,
  questionOf,
  children,
  onSubmit,
  onClose,
}: TextFormProps) {
  const { t, formatMessage } = useLanguage();
  const [text, setText] = useDraftField('text', '');
  const [error, setError] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [asked, setAsked] = useState<string>();
  const unusual = questionOf?.(text.trim());
  const isAsked = unusual !== undefined && asked === unusual.question;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const value = text.trim();
    if (locked !== undefined) return;
    if (required && !isPossible(value)) return setError(required);
    if (unusual && !isAsked) return setAsked(unusual.question);
    if (pending) return;
    clearErrors();
    const refuse = (refused: Message) => (digits === undefined ? setRefusal : setError)(formatMessage(refused));
    if (await onSubmit(value, refuse)) onClose();
  };
  const clearErrors = () => {
    setError(undefined);
    setRefusal(undefined);
  };
  const cancel = () => {
    // A count is of one moment: a person who cancels it counts again.
    if (digits !== undefined) setText('');
    onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)} onInput={clearErrors} className="space-y-4">
      <DraftNotice fields={['text']} />
      {children}
      <TextField
        label={label}
        error={locked === undefined ? error : null}
        hint={locked}
        readOnly={locked !== undefined}
        // The refused text is of no use while the field is locked.
        value={locked === undefined ? text : ''}
        autoComplete="off"
        maxLength={digits ?? 200}
        {...(digits !== undefined && { inputMode: 'numeric' as const })}
        data-autofocus
        // A minus sign stays, and is an error: without it, '-3' would be 3.
        onChange={({ target }) => setText(digits !== undefined ? target.value.replaceAll(/[^\d−-]/g, '') : target.value)}
      />
      {isAsked && (
        <Notice tone="warn" live title={t('Is this right?')}>
          {unusual.question}
        </Notice>
      )}
      <FormError text={refusal} />
      <div className={locked === undefined ? 'grid gap-3 sm:grid-cols-2' : 'grid'}>
        {locked === undefined && (
          <SettlingAnswer question={isAsked ? asked : undefined}>
            <SubmitButton variant={keepLabel === undefined ? 'primary' : 'danger'} wide pending={pending}>
              {isAsked ? unusual.submitLabel : submitLabel}
            </SubmitButton>
          </SettlingAnswer>
        )}
        <Button variant="quiet" wide onClick={cancel}>
          {locked === undefined ? (keepLabel ?? t('Cancel')) : t('Close')}
        </Button>
      </div>
    </form>
  );
}
