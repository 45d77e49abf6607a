/** The code screen's state: attempts, countdown, resend, and what the server said of a code. Specification section 4, "Verification"; design section 6, "Codes". */
import { useEffect, useRef, useState } from 'react';
import { systemClock } from '../../../lib/clock.ts';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useSiteConfig } from '../../../browser/site-config.ts';
import { botCheckMessages } from '../../bot-check/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import {
  CODE_LENGTH,
  confirmCode,
  RESEND_AFTER_SECONDS,
  TRIES_PER_CODE,
  verificationError,
  verificationMessages as messages,
  type Purpose,
} from '../contract.ts';
import { sendCodeTo } from './send-code.ts';

interface CodeEntryOptions {
  mobile: string;
  purpose: Purpose;
  onConfirmed(): void;
  /** The code can no longer be confirmed; the specified alert was shown. */
  onExpired(): void;
}

export function useCodeEntry({ mobile, purpose, onConfirmed, onExpired }: CodeEntryOptions) {
  const { botCheck } = useSiteConfig();
  const [code, setCode] = useState('');
  const [error, setError] = useState<ErrorMessage>();
  const [attempts, setAttempts] = useState(TRIES_PER_CODE);
  const [pending, setPending] = useState<'validating' | 'resending'>();
  const countdown = useCountdown(RESEND_AFTER_SECONDS);
  const input = useRef<HTMLInputElement>(null);

  const refuse = () => {
    setError(verificationError('wrong-code'));
    input.current?.focus();
  };

  const validate = async () => {
    // Too short is a slip of the finger: it costs no attempt.
    if (code.length < CODE_LENGTH) return refuse();
    setAttempts((left) => left - 1);
    setPending('validating');
    try {
      const answer = await fetchSend(confirmCode, { mobile, purpose, code });
      if (answer.response === 'success') return onConfirmed();
      if (answer.code !== 'out-of-attempts') return refuse();
      showToast({ text: verificationError('out-of-attempts'), theme: 'red', durationMs: TOAST_MS.long });
      onExpired();
    } catch (problem) {
      // Nobody knows whether the code was looked at: give the attempt back, the server counts for itself.
      setAttempts((left) => left + 1);
      alertProblem(problem, { doing: 'confirming a code' });
    } finally {
      setPending(undefined);
    }
  };

  const resend = async () => {
    setPending('resending');
    const outcome = await sendCodeTo(mobile, purpose, botCheck);
    setPending(undefined);
    if (outcome === 'bot-check-failed')
      return showToast({ text: botCheckMessages.failedOnVerification, theme: 'red', durationMs: TOAST_MS.long });
    if (outcome === 'out-of-attempts') {
      showToast({ text: verificationError('out-of-attempts'), theme: 'red', durationMs: TOAST_MS.long });
      return onExpired();
    }
    if (outcome === 'not-sent')
      return showToast({ text: verificationError('sms-not-resent', { mobile }), theme: 'red', durationMs: TOAST_MS.long });
    showToast({ text: msg(messages.sent, { mobile }), theme: 'green' });
    setCode('');
    setError(undefined);
    setAttempts(TRIES_PER_CODE);
    countdown.restart();
    input.current?.focus();
  };

  // The step before had the focus, and it is gone.
  useEffect(() => input.current?.focus(), []);

  const type = (text: string) => {
    setCode(text);
    setError(undefined);
  };
  useCodeFromMessage(type);

  return { code, type, error, attempts, pending, secondsLeft: countdown.secondsLeft, input, validate, resend };
}

/** Whole seconds from `from` to 0. Counts by the clock, so a sleeping phone does not slow it down. */
function useCountdown(from: number) {
  const [startedAt, setStartedAt] = useState(() => systemClock.now().getTime());
  const [now, setNow] = useState(startedAt);
  const secondsLeft = Math.max(0, from - Math.floor((now - startedAt) / 1000));
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(systemClock.now().getTime()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  const restart = () => {
    const time = systemClock.now().getTime();
    setStartedAt(time);
    setNow(time);
  };
  return { secondsLeft, restart };
}

/** WebOTP: where the browser can read the code from our message, it fills the field. Elsewhere the keyboard offers it (autocomplete one-time-code). */
function useCodeFromMessage(type: (code: string) => void) {
  const latest = useRef(type);
  useEffect(() => {
    latest.current = type;
  });
  useEffect(() => {
    if (!('OTPCredential' in window)) return;
    const leaving = new AbortController();
    const request = { otp: { transport: ['sms'] }, signal: leaving.signal } as CredentialRequestOptions;
    navigator.credentials.get(request).then(
      (credential) => latest.current((credential as unknown as { code: string }).code),
      () => {},
    );
    return () => leaving.abort();
  }, []);
}
