/** Every address of the site, from one builder. A link appears here together with its page: browser/links.test.ts holds this list against routes.ts. */
export const links = {
  home: () => '/',
  /** Home with the cart open, where a service is picked already. */
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
  privacy: () => '/privacy',
  downloadApp: () => '/downloadourapplication',
  forgotPassword: () => '/auth/forgotpassword',
  newPassword: () => '/auth/newpassword',
  wallet: () => '/auth/wallet',
  profile: () => '/auth/profile',
  addresses: () => '/auth/address',
  addAddress: () => '/auth/address/addnewaddress',
  editAddress: (addressid: string) => `/auth/address/editaddress/${encodeURIComponent(addressid)}`,
  orders: () => '/auth/orders',
  bill: (orderid: string) => `/auth/orders/bill/${encodeURIComponent(orderid)}`,
  order: (orderid: string) => `/auth/orders/vieworder/${encodeURIComponent(orderid)}`,
  walletPayment: (orderid: string) => `/auth/orders/payment/${encodeURIComponent(orderid)}`,
  /** Only the tid is used; the amount stands there for people. */
  paymentResult: (tid: string, amountPaise = 0) => `/pay/${encodeURIComponent(tid)}/${amountPaise / 100}`,
} as const;

/** What a page hands to the log-in, so that it can bring the customer back (design section 6, "Where login leads"). */
export interface ReturnState {
  returnTo: string;
}

/** A path of this site and nothing else: no other origin, no protocol-relative address, no backslash that a browser reads as a slash. */
export const safeReturnTo = (state: unknown): string | undefined => {
  const path = (state as Partial<ReturnState> | null)?.returnTo;
  return typeof path === 'string' && /^\/(?![/\\])[^\\]*$/.test(path) ? path : undefined;
};
