/** Something before one @, a host with a dot after it. Whether it exists only a message there could tell. */
export const isEmail = (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
