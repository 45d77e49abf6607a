import type { FormEvent } from 'react';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { ATTEMPTS_PER_CODE, CODE_LENGTH, type Purpose } from '../contract.ts';
import type { Wait } from './sent-code.ts';
import { CodeWait } from './code-wait.tsx';
import { useCodeEntry } from './use-code-entry.ts';
import { useCountdown } from './use-countdown.ts';

interface CodeEntryProps {
  mobile: string;
  purpose: Purpose;
  onConfirmed(): void;
  onExpired(): void;
  onCancel(): void;
}

/** The form for a code, shared by all screens that verify a mobile. */
export function CodeEntry(props: CodeEntryProps) {
  const { t, formatMessage } = useLanguage();
  const { demo } = useSiteConfig();
  const { code, type, error, attempts, wait, pending, input, validate, resend, cancel } = useCodeEntry(props);
  const isUsedUp = attempts === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    validate();
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-5">
      <CodeField
        ref={input}
        label={t('OTP')}
        hint={t('The code we sent to +91 {mobile}. It is checked once it has six digits.', { mobile: props.mobile })}
        length={CODE_LENGTH}
        value={code}
        error={error && formatMessage(error)}
        onChange={(event) => type(event.target.value)}
      />
      <output className={isUsedUp ? 'block text-sm' : 'sr-only'}>{(error || isUsedUp) && <AttemptsLeft attempts={attempts} />}</output>
      <Resend key={wait.startedAt} wait={wait} isMainAction={isUsedUp} pending={pending === 'resending'} onResend={() => void resend()} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SubmitButton variant={isUsedUp ? 'secondary' : 'primary'} pending={pending === 'validating'} disabled={isUsedUp}>
          {t('Validate ({attempts} Attempts)', { attempts })}
        </SubmitButton>
        <Button variant="secondary" onClick={cancel}>
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

/** Announced after a wrong code. */
function AttemptsLeft({ attempts }: { attempts: number }) {
  const { t, plural } = useLanguage();
  if (attempts === ATTEMPTS_PER_CODE) return null;
  if (attempts === 0) return t('No attempts are left for this code. Please request another one.');
  return plural(attempts, { one: '{count} attempt left', other: '{count} attempts left' }, { count: attempts });
}

const LONGEST_COUNTDOWN_SECONDS = 59;

interface ResendProps {
  wait: Wait;
  /** No attempt is left for the last code. */
  isMainAction: boolean;
  pending: boolean;
  onResend(): void;
}

function Resend({ wait, isMainAction, pending, onResend }: ResendProps) {
  const { t } = useLanguage();
  const secondsLeft = useCountdown(wait);
  if (secondsLeft > LONGEST_COUNTDOWN_SECONDS) return <CodeWait wait={wait} />;
  if (isMainAction && secondsLeft <= 0)
    return (
      <Button variant="primary" wide pending={pending} onClick={onResend}>
        {t('resend otp?')}
      </Button>
    );
  return (
    <p className="flex min-h-11 items-center text-sm">
      {secondsLeft > 0 ? (
        <span className="text-ink-soft tabular-nums">
          {t('resend otp in 00:{seconds}', { seconds: String(secondsLeft).padStart(2, '0') })}
        </span>
      ) : (
        <span className="-ms-4">
          <Button variant="quiet" size="small" pending={pending} onClick={onResend}>
            {t('resend otp?')}
          </Button>
        </span>
      )}
    </p>
  );
}
