/**
 * The account screens exist on the site and in two variants inside the native app. This file
 * defines all their differences: links, redirect delays and texts (specification section 2,
 * "Webview variants").
 */
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { useEmbedding, type Embedding } from '../../../shared/embedding.ts';
import { links } from '../../../shared/links.ts';
import type { RedirectDelay } from '../../../browser/redirects.ts';
import { webviewLinks } from '../../../shared/webview-links.ts';

export interface Flow {
  signUp: string;
  verification: string;
  forgotPassword: string;
  newPassword: string;
  /** The target after a new password was cancelled or its reset has expired. */
  restartReset: string;
  delays: Record<'toVerification' | 'resetUserMissing' | 'newPasswordCancelled', RedirectDelay>;
  signUpHeading: MessageKey;
  signUpText: MessageKey | undefined;
  referralField: { label: MessageKey; hint?: MessageKey };
}

const inApp = {
  // The specification uses this address for the second variant too.
  restartReset: webviewLinks.forgotPassword(),
  delays: {
    toVerification: 'webviewSignUpToVerification',
    resetUserMissing: 'webviewResetUserMissing',
    newPasswordCancelled: 'webviewNewPasswordCancelled',
  },
  signUpHeading: msg('Create an account and enjoy our premium laundry service'),
  signUpText: undefined,
  referralField: { label: msg('Referral Code (Optional)') },
} satisfies Partial<Flow>;

const flows: Record<Embedding | 'site', Flow> = {
  site: {
    signUp: links.signUp(),
    verification: links.verification(),
    forgotPassword: links.forgotPassword(),
    newPassword: links.newPassword(),
    restartReset: links.forgotPassword(),
    delays: { toVerification: 'signUpToVerification', resetUserMissing: 'resetUserMissing', newPasswordCancelled: 'newPasswordCancelled' },
    signUpHeading: msg('Create an account'),
    signUpText: msg('We send a code to your mobile to make sure that it is yours.'),
    referralField: { label: msg('Referral Code'), hint: msg('Optional') },
  },
  webview: {
    ...inApp,
    signUp: webviewLinks.signUp(),
    verification: webviewLinks.verification(),
    forgotPassword: webviewLinks.forgotPassword(),
    newPassword: webviewLinks.newPassword(),
  },
  fl: {
    ...inApp,
    signUp: webviewLinks.flSignUp(),
    verification: webviewLinks.flVerification(),
    forgotPassword: webviewLinks.flForgotPassword(),
    newPassword: webviewLinks.flNewPassword(),
  },
};

/** Returns links, delays and texts of the variant that the page belongs to. */
export const useFlow = (): Flow => flows[useEmbedding() ?? 'site'];
