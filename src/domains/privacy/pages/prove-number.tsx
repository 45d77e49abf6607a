import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import type { Purpose } from '../../verification/contract.ts';
import { CodeEntry } from '../../verification/pages/code-entry.tsx';
import { startWait, useIsCodeSent, type Wait } from '../../verification/pages/sent-code.ts';
import { CodeWait } from '../../verification/pages/code-wait.tsx';
import { sendFirstCode } from '../../verification/pages/send-first-code.ts';

interface ProveNumberProps {
  /** The mobile of the account. */
  mobile: string;
  purpose: Extract<Purpose, 'export' | 'deletion'>;
  /** Shown next to the button, for example that an earlier code has expired. */
  error: ErrorMessage | undefined;
  /** Called before a code is sent. Returns false if it must not be sent yet. */
  onStart?: () => boolean;
  onConfirmed(): void;
}

/** Sends a code to the customer, and confirms it. */
export function ProveNumber({ mobile, purpose, error, onStart, onConfirmed }: ProveNumberProps) {
  const { t, formatMessage } = useLanguage();
  const site = useSiteConfig();
  const isCodeSent = useIsCodeSent(purpose, mobile);
  const [wait, setWait] = useState<Wait>();
  const { pending, mutate } = useMutation({
    async mutationFn() {
      const outcome = await sendFirstCode(mobile, purpose, site);
      setWait(outcome.status === 'too-soon' ? startWait(outcome.waitSeconds) : undefined);
    },
    onError: (problem) => alertProblem(problem, { doing: 'asking for a code' }),
  });
  const button = useRef<HTMLButtonElement>(null);
  const wasCodeSent = useRef(isCodeSent);
  useEffect(() => {
    // The code field, which had the focus, is removed.
    if (wasCodeSent.current && !isCodeSent) button.current?.focus();
    wasCodeSent.current = isCodeSent;
  }, [isCodeSent]);
  const start = () => {
    if (onStart?.() ?? true) void mutate(undefined);
  };

  if (isCodeSent) return <CodeEntry mobile={mobile} purpose={purpose} onConfirmed={onConfirmed} onExpired={() => {}} onCancel={() => {}} />;
  return (
    <div className="space-y-4">
      <p>{t('To make sure that it is you, we send a code to +91 {mobile}.', { mobile })}</p>
      {wait && <CodeWait wait={wait} />}
      <div>
        <Button ref={button} variant="primary" wide pending={pending} onClick={start}>
          {t('Send the code')}
        </Button>
        <FormError text={error && formatMessage(error)} />
      </div>
    </div>
  );
}
