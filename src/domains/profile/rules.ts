/**
 * Returns true for text before one @ and a host with a dot after it. The address need not exist.
 */
export const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
