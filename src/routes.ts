import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** The gallery of the design system, only in development. */
const galleryRoutes = process.env.NODE_ENV === 'development' ? [route('dev/ui', './ui/gallery/gallery.tsx')] : [];

/**
 * The screens of the specification (section 2). Only this file defines paths and their order.
 * shared/links.ts builds the links. Analytics identifies a screen by its route id.
 */
export default [
  layout('./site-route.tsx', [
    index('./domains/home/pages/home.tsx', { id: 'home' }),
    route('home', './domains/home/pages/home.tsx', { id: 'home-by-name' }),
    route('stages', './domains/orders/pages/choosing/stages.tsx', { id: 'stages' }),
    route('overview', './domains/orders/pages/placing/overview.tsx', { id: 'overview' }),
    route('confirm', './domains/orders/pages/placing/confirm.tsx', { id: 'confirm' }),
    route('reviews', './domains/reviews/pages/reviews.tsx', { id: 'reviews' }),
    route('refer', './domains/referrals/pages/refer.tsx', { id: 'refer' }),
    route('contact', './domains/home/pages/contact.tsx', { id: 'contact' }),
    route('promise', './domains/claims/pages/promise.tsx', { id: 'promise' }),
    route('privacy', './domains/home/pages/privacy.tsx', { id: 'privacy' }),
    route('downloadourapplication', './domains/home/pages/download-app.tsx', { id: 'download-app' }),
    route('auth/signup', './domains/sign-in/pages/sign-up.tsx', { id: 'sign-up' }),
    route('auth/verification', './domains/sign-in/pages/verification.tsx', { id: 'verification' }),
    route('auth/login', './domains/sign-in/pages/login.tsx', { id: 'login' }),
    route('auth/forgotpassword', './domains/sign-in/pages/forgot-password.tsx', { id: 'forgot-password' }),
    route('auth/newpassword', './domains/sign-in/pages/new-password.tsx', { id: 'new-password' }),
    route('auth/profile', './domains/profile/pages/profile.tsx', { id: 'profile' }),
    route('auth/profile/datacopy', './domains/privacy/pages/own-data.tsx', { id: 'data-copy' }),
    route('auth/profile/deleteaccount', './domains/privacy/pages/own-data.tsx', { id: 'delete-account' }),
    route('auth/wallet', './domains/wallet/pages/wallet.tsx', { id: 'wallet' }),
    route('auth/address', './domains/addresses/pages/address-list.tsx', { id: 'address-list' }),
    route('auth/address/addnewaddress', './domains/addresses/pages/add-address.tsx', { id: 'add-address' }),
    route('auth/address/editaddress/:addressid', './domains/addresses/pages/edit-address.tsx', { id: 'edit-address' }),
    route('auth/orders', './domains/orders/pages/following/order-list.tsx', { id: 'order-list' }),
    // The payments and the help are a nested route, because orders is an earlier domain.
    route('auth/orders/vieworder/:orderid', './domains/orders/pages/following/view-order.tsx', { id: 'view-order' }, [
      index('./order-parts.tsx', { id: 'order-parts' }),
    ]),
    route('auth/orders/problem/:orderid', './domains/claims/pages/order-claims.tsx', { id: 'order-claims' }),
    route('auth/orders/bill/:orderid', './domains/orders/pages/following/bill.tsx', { id: 'bill' }, [
      index('./domains/payments/pages/bill-payments.tsx', { id: 'bill-payments' }),
    ]),
    route('auth/orders/payment/:orderid', './domains/payments/pages/wallet-payment.tsx', { id: 'wallet-payment' }),
    layout('./domains/webview/pages/webview.tsx', [
      route('webview/signup', './domains/sign-in/pages/sign-up.tsx', { id: 'webview-signup' }),
      route('webview/verification', './domains/sign-in/pages/verification.tsx', { id: 'webview-verification' }),
      route('webview/forgotpassword', './domains/sign-in/pages/forgot-password.tsx', { id: 'webview-forgotpassword' }),
      route('webview/newpassword', './domains/sign-in/pages/new-password.tsx', { id: 'webview-newpassword' }),
      route('webview/refer', './domains/webview/pages/webview-refer.tsx', { id: 'webview-refer' }),
      route('webview/flsignup', './domains/sign-in/pages/sign-up.tsx', { id: 'webview-flsignup' }),
      route('webview/flverification', './domains/sign-in/pages/verification.tsx', { id: 'webview-flverification' }),
      route('webview/flforgotpassword', './domains/sign-in/pages/forgot-password.tsx', { id: 'webview-flforgotpassword' }),
      route('webview/flnewpassword', './domains/sign-in/pages/new-password.tsx', { id: 'webview-flnewpassword' }),
    ]),
    // After every fixed path of one segment: any other segment may be a referral code.
    route(':referralcode', './domains/sign-in/pages/referred-sign-up.tsx', { id: 'referred-sign-up' }),
    route('*', './site/not-found.tsx', { id: 'not-found' }),
  ]),
  // Outside the site layout, and after every fixed path of three segments.
  route(':code/:tid/:amount', './domains/payments/pages/payment-result.tsx', { id: 'payment-result' }),
  ...galleryRoutes,
] satisfies RouteConfig;
