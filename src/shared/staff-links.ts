/** Builds every path of the console, for the server and the browser. */
export const staffLinks = {
  today: () => '/staff',
  orders: () => '/staff/orders',
  order: (orderid: string) => `/staff/orders/${encodeURIComponent(orderid)}`,
  claims: () => '/staff/claims',
  cash: () => '/staff/cash',
  people: () => '/staff/people',
  audit: () => '/staff/audit',
  account: () => '/staff/account',
  setPassword: (token: string) => `/staff/set-password#${token}`,
} as const;

/** The folder of the console's script and styles. */
export const STAFF_ASSETS = '/staff/assets/';
