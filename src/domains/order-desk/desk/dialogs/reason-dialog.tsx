import type { ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import type { Message } from '../../../../i18n/messages.ts';
import { TextDialog } from '../../../staff/desk/text-dialog.tsx';
import { deskError } from '../contract.ts';

interface ReasonDialogProps {
  open: boolean;
  title: string;
  submitLabel: string;
  keepLabel?: string;
  pending: boolean;
  /** As in `TextDialog`. */
  questionOf?(text: string): { question: string; submitLabel: string } | undefined;
  children?: ReactNode;
  onSubmit(reason: string, refuse: (error: Message) => void): Promise<boolean>;
  onClose(): void;
}

/** Asks for the reason of a change, for the customer. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { t, formatMessage } = useLanguage();
  return <TextDialog label={t('Reason (the customer reads it)')} required={formatMessage(deskError('reason-required'))} {...props} />;
}
