/** Passkeys in the browser (WebAuthn). The library is loaded at the first use. */
import { fetchSend } from '../../../browser/client.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import type { Send } from '../../../contract/send.ts';
import { msg, type Message } from '../../../i18n/messages.ts';
import { addPasskey, passkeyLogin, passkeyOptions, type Credential, type Me } from './contract.ts';

export type PasskeyResult = { me: Me } | { error: Message };

/**
 * Uses or adds a passkey, as the server asks. Returns an error if the person cancels or the
 * browser has no passkeys. Throws the errors of `send`.
 */
export async function confirmWithPasskey(send: Send = fetchSend): Promise<PasskeyResult> {
  const challenge = await send(passkeyOptions, {});
  if (challenge.response !== 'success') return { error: toErrorMessage(challenge) };
  const { purpose, options } = challenge.data;
  const credential = await askBrowser(purpose, options);
  if (!credential) return { error: msg('The passkey was not used. Try again, or use another device.') };
  const result = await send(purpose === 'log-in' ? passkeyLogin : addPasskey, { credential });
  return result.response === 'success' ? { me: result.data } : { error: toErrorMessage(result) };
}

/** Returns undefined if the person cancels or the browser refuses. */
async function askBrowser(purpose: 'log-in' | 'enrol' | 'add', options: Record<string, unknown>): Promise<Credential | undefined> {
  const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as never;
  try {
    const credential = purpose === 'log-in' ? await startAuthentication({ optionsJSON }) : await startRegistration({ optionsJSON });
    return credential as unknown as Credential;
  } catch {
    return undefined;
  }
}
