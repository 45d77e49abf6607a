/**
 * The cookies that the server sets with the HttpOnly session cookie. Scripts can read them, so that
 * a browser without a session sends no request to find out. They prove nothing. That of a customer
 * has a different value for each customer, so that a tab of another customer notices the change.
 */
export const HINT_COOKIES = { customer: 'signed_in', guest: 'guest' } as const;

/** Returns true if this browser probably has a session of that kind. */
export const hasHintCookie = (kind: keyof typeof HINT_COOKIES): boolean => ` ${document.cookie}`.includes(` ${HINT_COOKIES[kind]}=`);

/**
 * Returns the value of a hint cookie, which differs for each customer. Undefined without a cookie.
 */
export const ownerInCookies = (): string | undefined => / (?:signed_in|guest)=([^;]+)/.exec(` ${document.cookie}`)?.[1];
