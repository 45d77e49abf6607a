/**
 * Returns a text that is equal for two sends if the person did the same twice: the same call with
 * the same values, except those of the fields `live`.
 */
export const intentOf = (path: string, body: object, live: readonly string[]): string =>
  JSON.stringify([path, Object.fromEntries(Object.entries(body).filter(([name]) => !live.includes(name)))]);
