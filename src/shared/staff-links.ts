/** Builds every path of the console, for the server and the browser. */
export const staffLinks = {
  today: () => '/staff',
  orders: () => '/staff/orders',
  ordersOf: (search: string) => `/staff/orders?search=${encodeURIComponent(search)}`,
  order: (orderid: string) => `/staff/orders/${encodeURIComponent(orderid)}`,
  labels: (orderid: string) => `/staff/orders/${encodeURIComponent(orderid)}/labels`,
  round: () => '/staff/round',
  claims: () => '/staff/claims',
  openClaims: () => '/staff/claims?status=open',
  customers: () => '/staff/customers',
  customer: (mobile: string) => `/staff/customers?mobile=${encodeURIComponent(mobile)}`,
  cash: () => '/staff/cash',
  evenings: () => '/staff/evenings',
  catalogue: () => '/staff/catalogue',
  numbers: () => '/staff/numbers',
  upi: () => '/staff/upi',
  reviews: () => '/staff/reviews',
  system: () => '/staff/system',
  people: () => '/staff/people',
  audit: () => '/staff/audit',
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
