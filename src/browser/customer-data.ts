/**
 * The data of the customer in local storage, one string. Unlike session storage it outlives the
 * tab. It is deleted with the session (session-user.ts) and at every log-in.
 */
const KEY = 'customerdata';

/** Returns null if nothing is stored, or if the browser denies access. */
export function readCustomerData(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Does nothing if the storage is full or denied. */
export function writeCustomerData(text: string) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Every page works without it.
  }
}

export function deleteCustomerData() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // The browser denies access.
  }
}
