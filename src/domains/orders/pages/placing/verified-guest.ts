// Module state: a reload verifies again, and the server has the last word.
let verified: string | undefined;

/**
 * The mobile that a guest has verified for an order that is not placed yet. If its rate or pickup
 * day has changed meanwhile, the guest confirms the new one without another code.
 */
export const verifiedGuest = () => verified;

/** Undefined forgets the mobile. */
export function setVerifiedGuest(mobile: string | undefined) {
  verified = mobile;
}
