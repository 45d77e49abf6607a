import { tabStorage } from '../../../../browser/tab-storage.ts';

// Module state: a reload verifies again, and the server checks the number in any case.
let verified: string | undefined;

/**
 * Returns the mobile that a guest has verified for an order that is not placed yet, otherwise
 * undefined. If its rate or pickup day has changed meanwhile, the guest confirms the new one
 * without another code.
 */
export const verifiedGuestMobile = (): string | undefined => verified;

/** Undefined deletes the mobile. */
export function setVerifiedGuestMobile(mobile: string | undefined) {
  verified = mobile;
}

/** The text above the button with which the guest requested the code. It survives a reload. */
const consent = tabStorage<string | null>('guestconsent', null);

export const guestConsent = (): string | undefined => consent.get() ?? undefined;

export const setGuestConsent = (text: string) => consent.set(text);
