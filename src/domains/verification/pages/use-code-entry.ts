/**
 * The state of the code screen: attempts, resend and the result of a confirmation. Specification
 * section 4, "Verification"; design section 6, "Codes".
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { msg, type ErrorMessage, type Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { botCheckMessages } from '../../bot-check/contract.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { CODE_LENGTH, confirmCode, verificationError, verificationMessages as messages, type Purpose } from '../contract.ts';
import { clearSentCode, readCodeState, startWait, storeCodeState, type CodeState } from './sent-code.ts';
import { OFFLINE, requestCode } from './request-code.ts';

interface CodeEntryOptions {
  mobile: string;
  purpose: Purpose;
  onConfirmed(): void;
  /** Called after the specified alert was shown: the code can no longer be confirmed. */
  onExpired(): void;
  onCancel(): void;
}

const alertRed = (text: Message) => showToast({ text, theme: 'red', durationMs: TOAST_MS.long });

/**
 * Returns the state of the code screen and its actions. `validate` and `resend` never throw: they
 * show each outcome themselves.
 */
export function useCodeEntry({ mobile, purpose, onConfirmed, onExpired, onCancel }: CodeEntryOptions) {
  const { botCheck } = useSiteConfig();
  const [code, setCode] = useState('');
  const [error, setError] = useState<ErrorMessage>();
  const [state, setState] = useState(() => readCodeState(purpose, mobile));
  const [pending, setPending] = useState<'validating' | 'resending'>();
  const input = useRef<HTMLInputElement>(null);
  /** The code that was submitted at its last digit. Validate does not submit it again. */
  const autoSubmitted = useRef('');

  const changeState = (changed: CodeState) => {
    setState(changed);
    storeCodeState(purpose, mobile, changed);
  };

  const leave = (next: () => void) => {
    next();
    clearSentCode();
  };

  const showWrongCode = (attempts = state.attempts) => {
    setError(verificationError('wrong-code'));
    // Only another code can be confirmed.
    if (attempts === 0) setCode('');
    // The next digit replaces the wrong code.
    input.current?.focus();
    input.current?.select();
  };

  const confirm = async (entered: string) => {
    if (pending) return;
    // A code that is too short is a typing error and uses no attempt.
    if (entered.length < CODE_LENGTH) return showWrongCode();
    const attempts = state.attempts - 1;
    changeState({ ...state, attempts });
    setPending('validating');
    try {
      const result = await fetchSend(confirmCode, { mobile, purpose, code: entered });
      if (result.response === 'success') return leave(onConfirmed);
      if (result.code !== 'out-of-attempts') return showWrongCode(attempts);
      alertRed(verificationError('out-of-attempts'));
      leave(onExpired);
    } catch (problem) {
      // The server may not have checked the code. It counts the attempts itself, so restore this
      // one.
      changeState(state);
      autoSubmitted.current = '';
      alertProblem(problem, { doing: 'confirming a code' });
    } finally {
      setPending(undefined);
    }
  };

  /**
   * A code is submitted at its last digit. The first press of Validate after that does not submit
   * it again, because that would use a second attempt.
   */
  const validate = () => {
    const isSubmitted = autoSubmitted.current === code && code !== '';
    autoSubmitted.current = '';
    if (!isSubmitted) return void confirm(code);
    if (!pending) showWrongCode();
  };

  const resend = async () => {
    setPending('resending');
    const outcome = await requestCode(mobile, purpose, botCheck);
    setPending(undefined);
    switch (outcome.status) {
      case 'bot-check-failed':
        return alertRed(botCheckMessages.failedOnVerification);
      case 'offline':
        return alertRed(OFFLINE);
      case 'out-of-attempts':
        alertRed(verificationError('out-of-attempts'));
        return leave(onExpired);
      case 'not-sent':
        return alertRed(verificationError('sms-not-resent', { mobile }));
      case 'too-soon':
        // The countdown replaces the button, which has the focus.
        input.current?.focus();
        return changeState({ ...state, wait: startWait(outcome.waitSeconds) });
      case 'sent':
        showToast({ text: msg(messages.sent, { mobile }), theme: 'green' });
        setCode('');
        setError(undefined);
        changeState(readCodeState(purpose, mobile));
        awaitMessage();
        input.current?.focus();
    }
  };

  const start = useEffectEvent(() => {
    storeCodeState(purpose, mobile, state);
    // The element that had the focus was removed with the previous screen.
    input.current?.focus();
  });
  useEffect(() => start(), []);

  /** Submits a code that has all its digits. A further digit changes nothing. */
  const type = (text: string) => {
    if (text === code || pending) return;
    setCode(text);
    setError(undefined);
    if (text.length < CODE_LENGTH || state.attempts === 0) return;
    autoSubmitted.current = text;
    void confirm(text);
  };
  const awaitMessage = useCodeFromMessage(type);

  return { code, type, error, ...state, pending, input, validate, resend, cancel: () => leave(onCancel) };
}

/**
 * Returns the code of the next message; undefined if it cannot be read. In-app browsers define
 * `OTPCredential` without `navigator.credentials`, or resolve without a credential.
 */
async function readMessage(options: CredentialRequestOptions): Promise<string | undefined> {
  try {
    return ((await navigator.credentials.get(options)) as { code?: string } | null)?.code;
  } catch {
    return undefined;
  }
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
    void readMessage(options).then((code) => code !== undefined && latest.current(code));
  }, []);
  useEffect(() => {
    awaitMessage();
    return () => request.current?.abort();
  }, [awaitMessage]);
  return awaitMessage;
}
