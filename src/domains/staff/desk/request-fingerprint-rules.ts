/**
 * Returns a string that identifies a change: the path and the body without `ignoredFields`, which
 * the screen sets, such as the version of an order.
 */
export const requestFingerprint = (path: string, body: object, ignoredFields: readonly string[]): string =>
  JSON.stringify([path, Object.fromEntries(Object.entries(body).filter(([name]) => !ignoredFields.includes(name)))]);
