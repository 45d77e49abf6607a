/**
 * Accepts text before one @ and a host with a dot after it. Does not check that the address
 * exists.
 */
export const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
