import type { FormEvent } from 'react';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { CODE_LENGTH, type Purpose } from '../contract.ts';
import { useCodeEntry } from './use-code-entry.ts';

interface CodeEntryProps {
  mobile: string;
  purpose: Purpose;
  onConfirmed(): void;
  onExpired(): void;
  onCancel(): void;
}

/** The form for a code, shared by all screens that verify a mobile. */
export function CodeEntry({ onCancel, ...options }: CodeEntryProps) {
  const { t, formatMessage } = useLanguage();
  const { demo } = useSiteConfig();
  const { code, type, error, attempts, pending, secondsLeft, input, validate, resend } = useCodeEntry(options);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void validate();
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <CodeField
        ref={input}
        label={t('OTP')}
        hint={t('The code we sent to +91 {mobile}', { mobile: options.mobile })}
        length={CODE_LENGTH}
        value={code}
        error={error && formatMessage(error)}
        onChange={(event) => type(event.target.value)}
      />
      <p className="flex min-h-11 items-center text-sm">
        {secondsLeft > 0 ? (
          <span className="text-ink-soft tabular-nums">
            {t('resend otp in 00:{seconds}', { seconds: String(secondsLeft).padStart(2, '0') })}
          </span>
        ) : (
          <span className="-ms-4">
            <Button variant="quiet" size="small" pending={pending === 'resending'} onClick={() => void resend()}>
              {t('resend otp?')}
            </Button>
          </span>
        )}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <SubmitButton variant="primary" pending={pending === 'validating'} disabled={attempts === 0}>
          {t('Validate ({attempts} Attempts)', { attempts })}
        </SubmitButton>
        <Button variant="secondary" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
      {demo && (
        <p className="text-sm text-ink-soft">
          <RichText
            text="This is a demonstration: the message is in the {outbox}."
            parts={{
              outbox: (
                <a href="/outbox" target="_blank" rel="noreferrer" className={textLinkStyles}>
                  {t('outbox')}
                </a>
              ),
            }}
          />
        </p>
      )}
    </form>
  );
}
