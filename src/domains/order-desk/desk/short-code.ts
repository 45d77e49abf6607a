export const SHORT_CODE_LENGTH = 4;

/** Returns the end of the number of an order, which is large on the labels of its bags. */
export const shortCode = (orderid: string): string => orderid.slice(-SHORT_CODE_LENGTH);

/** Returns true for a text that can be a short code, in either case. */
export const isShortCode = (text: string): boolean => /^[0-9A-Z]{4}$/i.test(text);
