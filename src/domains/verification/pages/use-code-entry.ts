/**
 * The state of the code screen: attempts, countdown, resend and the result of a confirmation.
 * Specification section 4, "Verification"; design section 6, "Codes".
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { systemClock } from '../../../lib/clock.ts';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { botCheckMessages } from '../../bot-check/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import {
  CODE_LENGTH,
  confirmCode,
  RESEND_AFTER_SECONDS,
  ATTEMPTS_PER_CODE,
  verificationError,
  verificationMessages as messages,
  type Purpose,
} from '../contract.ts';
import { requestCode } from './request-code.ts';

interface CodeEntryOptions {
  mobile: string;
  purpose: Purpose;
  onConfirmed(): void;
  /** Called after the specified alert was shown: the code can no longer be confirmed. */
  onExpired(): void;
}

/**
 * Returns the state of the code screen and its actions. `validate` and `resend` never throw: they
 * show each outcome themselves.
 */
export function useCodeEntry({ mobile, purpose, onConfirmed, onExpired }: CodeEntryOptions) {
  const { botCheck } = useSiteConfig();
  const [code, setCode] = useState('');
  const [error, setError] = useState<ErrorMessage>();
  const [attempts, setAttempts] = useState(ATTEMPTS_PER_CODE);
  const [pending, setPending] = useState<'validating' | 'resending'>();
  const countdown = useCountdown(RESEND_AFTER_SECONDS);
  const input = useRef<HTMLInputElement>(null);

  const showWrongCode = () => {
    setError(verificationError('wrong-code'));
    input.current?.focus();
  };

  const validate = async () => {
    // A code that is too short is a typing error and uses no attempt.
    if (code.length < CODE_LENGTH) return showWrongCode();
    setAttempts((left) => left - 1);
    setPending('validating');
    try {
      const result = await fetchSend(confirmCode, { mobile, purpose, code });
      if (result.response === 'success') return onConfirmed();
      if (result.code !== 'out-of-attempts') return showWrongCode();
      showToast({ text: verificationError('out-of-attempts'), theme: 'red', durationMs: TOAST_MS.long });
      onExpired();
    } catch (problem) {
      // The server may not have checked the code. It counts the attempts itself, so restore this
      // one.
      setAttempts((left) => left + 1);
      alertProblem(problem, { doing: 'confirming a code' });
    } finally {
      setPending(undefined);
    }
  };

  const resend = async () => {
    setPending('resending');
    const outcome = await requestCode(mobile, purpose, botCheck);
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
    setAttempts(ATTEMPTS_PER_CODE);
    awaitMessage();
    countdown.restart();
    input.current?.focus();
  };

  // The element that had the focus was removed with the previous step.
  useEffect(() => input.current?.focus(), []);

  const type = (text: string) => {
    setCode(text);
    setError(undefined);
  };
  const awaitMessage = useCodeFromMessage(type);

  return { code, type, error, attempts, pending, secondsLeft: countdown.secondsLeft, input, validate, resend };
}

/**
 * Returns the whole seconds left, down to 0, and a function that restarts the countdown. Reads the
 * clock, because timers pause while a phone sleeps.
 */
function useCountdown(seconds: number) {
  const [startedAt, setStartedAt] = useState(() => systemClock.now().getTime());
  const [now, setNow] = useState(startedAt);
  const secondsLeft = Math.max(0, seconds - Math.floor((now - startedAt) / 1000));
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => {
      const time = systemClock.now().getTime();
      setNow(time);
      // If the clock was set back, the countdown starts again.
      setStartedAt((started) => Math.min(started, time));
    }, 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  const restart = () => {
    const time = systemClock.now().getTime();
    setStartedAt(time);
    setNow(time);
  };
  return { secondsLeft, restart };
}

/**
 * Fills the field with WebOTP, in browsers that support it. In other browsers the keyboard suggests
 * the code (`autocomplete="one-time-code"`). A request reads one message: call the returned
 * function for each further one.
 */
function useCodeFromMessage(type: (code: string) => void) {
  const latest = useRef(type);
  useEffect(() => {
    latest.current = type;
  });
  const request = useRef<AbortController>(undefined);
  const awaitMessage = useCallback(() => {
    if (!('OTPCredential' in window)) return;
    request.current?.abort();
    request.current = new AbortController();
    const options = { otp: { transport: ['sms'] }, signal: request.current.signal } as CredentialRequestOptions;
    navigator.credentials.get(options).then(
      (credential) => latest.current((credential as unknown as { code: string }).code),
      () => {},
    );
  }, []);
  useEffect(() => {
    awaitMessage();
    return () => request.current?.abort();
  }, [awaitMessage]);
  return awaitMessage;
}
