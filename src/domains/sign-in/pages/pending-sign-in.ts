/**
 * State that the account screens share: a sign-up before its account is created, and a reset before
 * its new password is set. It survives a reload and a discarded tab, except the password of the
 * sign-up, which is in memory only: after a reload the customer enters it again.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { tabStorage } from '../../../browser/tab-storage.ts';

export interface PendingSignUp {
  name: string;
  mobile: string;
  /**
   * A code, a link or a mobile, as typed or as in the address of the referral page. May be empty.
   */
  referral: string;
  /** The history state for the log-in page (shared/links.ts). */
  returnState: unknown;
  /** The text above the button of the form. */
  consent: string;
  /** The code was right; only the account is missing. */
  isConfirmed: boolean;
}

export interface PendingReset {
  mobile: string;
  /** The handle that the look-up returned as userid (design section 6, "getsingle.php"). */
  userid: string;
  isConfirmed: boolean;
}

export const EMPTY_SIGN_UP = { name: '', mobile: '', referral: '' };

/** The input of the sign-up form, until its account is created. Never the password. */
export const unfinishedSignUp = tabStorage<Readonly<typeof EMPTY_SIGN_UP>>('unfinishedsignup', EMPTY_SIGN_UP);

export const pendingSignUp = tabStorage<PendingSignUp | null>('pendingsignup', null);
export const pendingReset = tabStorage<PendingReset | null>('pendingreset', null);

// Module state, because a password must not be stored.
let password: string | undefined;

/** Undefined after a reload. */
export const passwordOfSignUp = () => password;

export function setPasswordOfSignUp(entered: string | undefined) {
  password = entered;
}

let formPassword: string | undefined;

export const passwordOfForm = () => formPassword;

/** Stores the password while the customer reads a page that the form links to. */
export function setPasswordOfForm(entered: string | undefined) {
  formPassword = entered;
}

/** Deletes the pending sign-up with its passwords, and the input of its form. */
export function discardSignUp() {
  setPasswordOfForm(undefined);
  pendingSignUp.clear();
  unfinishedSignUp.clear();
  setPasswordOfSignUp(undefined);
}

/**
 * The mobile that was typed last in an account form, until the log-in. The next form is filled in
 * with it.
 */
const mobileStorage = tabStorage('enteredmobile', '');

export const enteredMobile = mobileStorage.get;

export function setEnteredMobile(entered: string) {
  if (entered === '') mobileStorage.clear();
  else mobileStorage.set(entered);
}

/**
 * Stores the mobile of a form when it changes. After the first rendering, which is that of the
 * server's document, fills in an empty field with the stored mobile.
 */
export function useEnteredMobile(mobile: string, fillIn: (stored: string) => void) {
  const stored = useRef<string>(undefined);
  const update = useEffectEvent(() => {
    if (stored.current === mobile) return;
    const isFirst = stored.current === undefined;
    stored.current = mobile;
    if (!isFirst || mobile !== '') return setEnteredMobile(mobile);
    if (enteredMobile() !== '') fillIn(enteredMobile());
  });
  useEffect(() => update());
}
