import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** The design system's gallery, for developers only. */
const workshop = process.env.NODE_ENV === 'development' ? [route('dev/ui', './ui/gallery.tsx')] : [];

/** The specification's screen table (section 2). Paths, patterns and their order stand here and nowhere else; web/links.ts builds the addresses. */
export default [
  layout('./site.tsx', [
    index('./domains/home/pages/home.tsx', { id: 'home' }),
    route('home', './domains/home/pages/home.tsx', { id: 'home-by-name' }),
    route('stages', './domains/orders/pages/choosing/stages.tsx'),
    route('overview', './domains/orders/pages/placing/overview.tsx'),
    route('confirm', './domains/orders/pages/placing/confirm.tsx'),
    route('reviews', './domains/reviews/pages/reviews.tsx'),
    route('refer', './domains/referrals/pages/refer.tsx'),
    route('contact', './domains/home/pages/contact.tsx'),
    route('privacy', './domains/home/pages/privacy.tsx'),
    route('downloadourapplication', './domains/home/pages/download-app.tsx'),
    route('auth/signup', './domains/sign-in/pages/sign-up.tsx'),
    route('auth/verification', './domains/sign-in/pages/verification.tsx'),
    route('auth/login', './domains/sign-in/pages/login.tsx'),
    route('auth/forgotpassword', './domains/sign-in/pages/forgot-password.tsx'),
    route('auth/newpassword', './domains/sign-in/pages/new-password.tsx'),
    route('auth/profile', './domains/profile/pages/profile.tsx'),
    route('auth/wallet', './domains/wallet/pages/wallet.tsx'),
    route('auth/address', './domains/addresses/pages/address-list.tsx'),
    route('auth/address/addnewaddress', './domains/addresses/pages/add-address.tsx'),
    route('auth/address/editaddress/:addressid', './domains/addresses/pages/edit-address.tsx'),
    route('auth/orders', './domains/orders/pages/following/order-list.tsx'),
    // Its payments stand inside it, because orders do not know payments.
    route('auth/orders/vieworder/:orderid', './domains/orders/pages/following/view-order.tsx', [
      index('./domains/payments/pages/order-payments.tsx'),
    ]),
    route('auth/orders/bill/:orderid', './domains/orders/pages/following/bill.tsx', [index('./domains/payments/pages/bill-payments.tsx')]),
    route('auth/orders/payment/:orderid', './domains/payments/pages/wallet-payment.tsx'),
    layout('./domains/webview/pages/webview.tsx', [
      route('webview/signup', './domains/sign-in/pages/sign-up.tsx', { id: 'webview-signup' }),
      route('webview/verification', './domains/sign-in/pages/verification.tsx', { id: 'webview-verification' }),
      route('webview/forgotpassword', './domains/sign-in/pages/forgot-password.tsx', { id: 'webview-forgotpassword' }),
      route('webview/newpassword', './domains/sign-in/pages/new-password.tsx', { id: 'webview-newpassword' }),
      route('webview/refer', './domains/webview/pages/webview-refer.tsx'),
      route('webview/flsignup', './domains/sign-in/pages/sign-up.tsx', { id: 'webview-flsignup' }),
      route('webview/flverification', './domains/sign-in/pages/verification.tsx', { id: 'webview-flverification' }),
      route('webview/flforgotpassword', './domains/sign-in/pages/forgot-password.tsx', { id: 'webview-flforgotpassword' }),
      route('webview/flnewpassword', './domains/sign-in/pages/new-password.tsx', { id: 'webview-flnewpassword' }),
    ]),
    // After every fixed address: any other of one part may be a referral code.
    route(':referralcode', './domains/sign-in/pages/referred-sign-up.tsx'),
    route('*', './web/not-found.tsx'),
  ]),
  // With the logo only, and after every fixed address of three parts.
  route(':code/:tid/:amount', './domains/payments/pages/payment-result.tsx'),
  ...workshop,
] satisfies RouteConfig;
