/** Appends the filters of a screen, which `useFilters` reads. */
const withFilters = (path: string, filters: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams(filters).toString();
  return query ? `${path}?${query}` : path;
};

/** Builds every path of the console, for the server and the browser. */
export const staffLinks = {
  today: () => '/staff',
  orders: (filters: { search?: string; stage?: string; area?: string; day?: string } = {}) => withFilters('/staff/orders', filters),
  order: (orderid: string) => `/staff/orders/${encodeURIComponent(orderid)}`,
  labels: (orderid: string) => `/staff/orders/${encodeURIComponent(orderid)}/labels`,
  round: () => '/staff/round',
  claims: (filters: { status?: 'open'; claimid?: string } = {}) => withFilters('/staff/claims', filters),
  customers: (filters: { mobile?: string } = {}) => withFilters('/staff/customers', filters),
  cash: () => '/staff/cash',
  evenings: () => '/staff/evenings',
  catalogue: () => '/staff/catalogue',
  numbers: () => '/staff/numbers',
  upi: () => '/staff/upi',
  reviews: () => '/staff/reviews',
  system: () => '/staff/system',
  people: () => '/staff/people',
  audit: (filters: { subject?: string } = {}) => withFilters('/staff/audit', filters),
  account: () => '/staff/account',
  setPassword: (token: string) => `/staff/set-password#${token}`,
} as const;

/** The paths of the console's screens, for the server. Another path below /staff is not found. */
export const STAFF_PAGES = [
  '/staff',
  '/staff/orders',
  '/staff/orders/:orderid',
  '/staff/orders/:orderid/labels',
  '/staff/round',
  '/staff/claims',
  '/staff/customers',
  '/staff/cash',
  '/staff/evenings',
  '/staff/catalogue',
  '/staff/numbers',
  '/staff/upi',
  '/staff/reviews',
  '/staff/system',
  '/staff/people',
  '/staff/audit',
  '/staff/account',
  '/staff/set-password',
] as const;

/** The folder of the console's script and styles. */
export const STAFF_ASSETS = '/staff/assets/';

/** The service worker of the console. */
export const STAFF_WORKER = '/staff/sw.js';
