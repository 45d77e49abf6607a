/** Builds every path of the site. links.test.ts compares this list with routes.ts. */
export const links = {
  home: () => '/',
  /** Home with the cart open, if it contains a service. */
  cart: () => '/#cart',
  homeByName: () => '/home',
  reviews: () => '/reviews',
  stages: () => '/stages',
  overview: () => '/overview',
  confirm: () => '/confirm',
  signUp: () => '/auth/signup',
  verification: () => '/auth/verification',
  login: () => '/auth/login',
  refer: () => '/refer',
  contact: () => '/contact',
  promise: () => '/promise',
  privacy: () => '/privacy',
  downloadApp: () => '/downloadourapplication',
  forgotPassword: () => '/auth/forgotpassword',
  newPassword: () => '/auth/newpassword',
  wallet: () => '/auth/wallet',
  profile: () => '/auth/profile',
  dataCopy: () => '/auth/profile/datacopy',
  deleteAccount: () => '/auth/profile/deleteaccount',
  addresses: () => '/auth/address',
  addAddress: () => '/auth/address/addnewaddress',
  editAddress: (addressid: string) => `/auth/address/editaddress/${encodeURIComponent(addressid)}`,
  orders: () => '/auth/orders',
  bill: (orderid: string) => `/auth/orders/bill/${encodeURIComponent(orderid)}`,
  order: (orderid: string) => `/auth/orders/vieworder/${encodeURIComponent(orderid)}`,
  /** The payments on the page of an order. */
  orderPayment: (orderid: string) => `/auth/orders/vieworder/${encodeURIComponent(orderid)}#payment`,
  /** The reports of an order. The form begins with `kind`. */
  claims: (orderid: string, kind?: string) => `/auth/orders/problem/${encodeURIComponent(orderid)}${kind ? `?kind=${kind}` : ''}`,
  walletPayment: (orderid: string) => `/auth/orders/payment/${encodeURIComponent(orderid)}`,
  /** The page reads only the tid. The amount is informative. */
  paymentResult: (tid: string, amountPaise = 0) => `/pay/${encodeURIComponent(tid)}/${amountPaise / 100}`,
} as const;

/**
 * The history state for the log-in page, with the path to return to (design section 6, "Where
 * login leads").
 */
export interface ReturnState {
  returnTo: string;
  /** A session has ended on that page: the visitor has an account, or ordered as a guest here. */
  hadSession?: boolean;
}

/**
 * Returns `returnTo` if it is a path of this site, otherwise undefined. Rejects other origins,
 * protocol-relative URLs, and backslashes, which browsers treat as slashes.
 */
export const safeReturnTo = (state: unknown): string | undefined => {
  const path = (state as Partial<ReturnState> | null)?.returnTo;
  return typeof path === 'string' && /^\/(?![/\\])[^\\]*$/.test(path) ? path : undefined;
};
