/**
 * The visible texts of the specification by screen and state, verbatim with its spelling. Specs
 * record them with the fixture `seen`. After a full run, specified-texts-reporter.ts requires that
 * every text was recorded. Words in braces are placeholders for values.
 */
export const specifiedTexts = {
  site: {
    'logged out': ['Login/Signup'],
    'logged in': ['Logout'],
    'just logged out': ['Account logged out successfully'],
    'page that is not there': ['404 not found'],
    'unexpected error': ["Error - '{message}' posted to developers"],
    'route script failed': ['Loading chunk failed'],
  },
  home: {
    tiles: ['Wash', 'Wash + Iron', 'Iron'],
    'logged in': ['Welcome back {name}, what would you like to do today?'],
    'programs failed to load': [
      "Sorry, we couldn't fetch washprograms from server, this is development error, kindly report it on {email}",
    ],
    'reviews failed to load': ["Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}"],
  },
  cart: {
    'area chosen': ['change'],
    'every stage': ['Proceed'],
    'address, none saved': ['You have no saved address'],
    'address, logged in': ['Add new address'],
    'address, logged out': ['Before adding address you need to login first'],
  },
  stages: {
    buttons: ['Cancel Order', 'Confirm Order'],
    slot: ['05:00 - 09:00 PM'],
    'nothing chosen': [
      '* Please select wash program',
      '* Please select a pickup timeslot',
      '* Please select a pickup & delivery address or checkout as guest',
    ],
  },
  overview: {
    complete: ['Edit details', 'Place Order'],
    'something missing': ['Some error occured, please select your wash program again'],
  },
  confirm: {
    placed: ['Order placed successfully'],
    refused: ['Some error occured while placing order, please report it at {email} or try again'],
  },
  'sign-up': {
    form: ['Name', 'Mobile', 'Password', 'Sign up', 'Already have account?'],
    'fields wrong': ['Invalid name', 'Mobile number should be of 10 digits', 'Password must be of atleast 6 characters'],
    'mobile known': ['User already exists, forgot password?'],
    'code sent': ['SMS sent successfully on +91{mobile}'],
    'code not sent': ['Something went wrong while sending SMS on +91{mobile}, please try again'],
    'bot check failed': ['This is a development error, complaint it at {email} or restart the app'],
    'account not created': ['Something went wrong while creating an account, complaint it at {email}'],
  },
  verification: {
    waiting: ['Validate ({attempts} Attempts)', 'Cancel'],
    'countdown over': ['resend otp?'],
    'code not resent': ['Something went wrong while sending SMS on +91{mobile}, resend again'],
    'code wrong': ['Verification OTP is invalid'],
    'code expired': ['Out of attempts, try again later'],
    'bot check failed': ['Please refresh the page and try again'],
  },
  'forgot password': {
    'mobile step': ['Proceed'],
    'code step': ['Cancel', 'Login'],
    'mobile unknown': ['No user found, you should signup'],
  },
  'new password': {
    form: ['New Password', 'Confirm New Password', 'Update password', 'Cancel'],
    'fields wrong': ['Password should be of atleast 6 characters', "Confirm password doesn't matched with new password"],
    changed: ['Password changed successfully, please login with new password'],
    'not changed': ['Something went wrong while updating password, complaint at {email}'],
    'no reset user': ['Something went wrong, please try again'],
  },
  'log-in': {
    form: ['Mobile Number', 'Password', 'Forgot Password?', 'Login', 'Create a account'],
    'fields wrong': ['Invalid mobile number', 'Wrong password'],
    'mobile unknown': ["User doesn't exists"],
  },
  'referred sign-up': { 'referrer found': ['Referred by {name}'] },
  reviews: {
    bars: ['Excellent', 'Good', 'Average', 'Below Average', 'Poor'],
    writing: ['Write a Review'],
    'fields wrong': ['* Please select number of stars you want to give', '* Message field cannot be empty'],
    'logged out': ['You need to login first', 'Login'],
    'not posted': ['Something gone wrong, please report it at {email}'],
    'failed to load': ["Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}"],
    'fifty and more': ['Load more reviews'],
  },
  contact: { page: ['Get in touch!'] },
  refer: {
    heading: ['Refer karo, Earn karo'],
    'link copied': ['Link copied to clipboard'],
    'logged out': ['You are not logged in, please login and comeback later', 'To get your referral link, you have to login first'],
  },
  'webview sign-up': {
    form: [
      'Create an account and enjoy our premium laundry service',
      'Name',
      'Mobile',
      'Password',
      'Referral Code (Optional)',
      'Sign up',
      'Already have account?',
    ],
    'fields wrong': ['Invalid name', 'Mobile number should be of 10 digits', 'Password must be of atleast 6 characters'],
    'mobile known': ['User already exists, forgot password?'],
    'code sent': ['SMS sent successfully on +91{mobile}'],
    'code not sent': ['Something went wrong while sending SMS on +91{mobile}, please try again'],
    'bot check failed': ['This is a development error, complaint it at {email} or restart the app'],
    'account not created': ['Something went wrong while creating an account, complaint it at {email}'],
  },
  'webview verification': {
    waiting: ['Enter verification code', 'resend otp in 00:{seconds}', 'Validate ({attempts} Attempts)', 'Cancel'],
    'countdown over': ['resend otp?'],
    'code resent': ['SMS sent successfully on +91{mobile}'],
    'code not resent': ['Something went wrong while sending SMS on +91{mobile}, resend again'],
    'code wrong': ['Verification OTP is invalid'],
    'code expired': ['Out of attempts, try again later'],
    'bot check failed': ['Please refresh the page and try again'],
  },
  'webview forgot password': {
    'mobile step': ['Proceed'],
    'mobile wrong': ['Mobile number should be of 10 digits'],
    'mobile unknown': ['No user found, you should signup'],
    'code step': ['SMS sent successfully on +91{mobile}', 'Cancel', 'Login'],
  },
  'webview new password': {
    form: ['New Password', 'Confirm New Password', 'Update password', 'Cancel'],
    'fields wrong': ['Password should be of atleast 6 characters', "Confirm password doesn't matched with new password"],
    changed: ['Password changed successfully, please login with new password'],
    'not changed': ['Something went wrong while updating password, complaint at {email}'],
    'no reset user': ['Something went wrong, please try again'],
  },
  'webview refer': {
    heading: ['Refer karo, Earn karo'],
    'link copied': ['Link copied to clipboard'],
    'logged out': [
      'You are not logged in, please login and comeback later',
      'To get your referral link, you have to login first',
      'Login/Signup',
    ],
  },
  profile: {
    form: ['Name', 'Email', 'Mobile', "You can't change your mobile number", 'Update'],
    'fields wrong': ['Invalid name', 'Invalid Email'],
    'e-mail refused': ['Invalid email'],
    'nothing changed': ['Nothing to updated'],
    changed: ['Account details are updated'],
  },
  wallet: {
    balance: ['Total Balance', 'Recent Transactions'],
    'more than ten transactions': ['Load more transactions'],
    empty: ['No transactions'],
  },
  'address list': {
    empty: ["You haven't added any address yet!", '+ Add New Address'],
    deleted: ['Address deleted successfully'],
    'not deleted': ['Something went wrong while deleting address'],
  },
  'address form': {
    adding: ['Add new address', 'Save', 'Cancel', "You can't change pincode, city & state"],
    'fields wrong': [
      'Name value is invalid!',
      'Address 1 value is invalid!',
      'Address 2 value is invalid!',
      'Landmark value is invalid!',
      'Please enter a valid mobile number without any country code !',
    ],
    added: ['Address added successfully'],
    'not added': ['Something went wrong, try again later'],
  },
  'address form, editing': {
    editing: ['Edit address', 'Save', 'Cancel'],
    'mobile wrong': ['Mobile number is invalid'],
    changed: ['Address updated successfully'],
  },
  'order list': {
    empty: ["You don't have any recent orders."],
    'ten orders and more': ['Load more orders'],
    'an order in the laundry': ['Pay with {product} wallet'],
  },
  'order detail': {
    'at pickup': ['Pickup Pending', 'Not Updated'],
    'in queue': ['In-Queue', '14-16 Hour'],
    washing: ['Washing/Drying', '11-13 Hour'],
    'on its way': ['Out for delivery', '3-5 Hour'],
    delivered: ['Delivered'],
    details: [
      'Order No',
      'Order Date',
      'Delivery Address',
      'Estimated Time',
      'Wash Program',
      'Order Status',
      'Items',
      'Weight (kg)',
      'Final Amount',
    ],
    'in the laundry': ['Pay with {product} wallet'],
    'logged out': ['Please login first', 'User not found'],
    unknown: ['No order found with order number {id}'],
    'failed to load': ['Something went wrong while getting your order details, CAUSE - {cause}'],
  },
  'wallet payment': {
    'to be paid': ['Pay', 'Cancel'],
    'balance too small': ["You can't use this payment method due to insufficient balance"],
    paid: ['Paid ₹{amount} for order {id} with wallet', 'You had already paid ₹{amount} for this order with wallet'],
    failed: ['Something went wrong please report it at {email}'],
  },
  'payment result': {
    received: ['Payment received'],
    pending: [
      'Payment pending',
      'We cannot confirm your payment right now, it may take 24 hours to update your transaction',
      'Stay calm your money is in safe hands!',
    ],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

export type Screen = keyof typeof specifiedTexts;
/** The texts of one screen in all states. */
export type TextOf<S extends Screen> = TextsOf<(typeof specifiedTexts)[S]>;
type TextsOf<States> = Extract<States[keyof States], readonly string[]>[number];

/** Screens under construction. The run fails if every text of a listed screen was seen. */
export const unfinishedScreens: readonly Screen[] = [];

/** The annotation type of a recorded text. */
export const SEEN = 'seen';
export const seenKey = (screen: string, text: string) => `${screen}: ${text}`;

export const fillPlaceholders = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
