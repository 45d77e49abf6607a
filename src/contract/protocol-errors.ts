/**
 * Errors of any call, outside its handler, with an HTTP status other than 200. Other errors are in
 * the contract of the call.
 */
import { defineErrors } from './errors.ts';

export const protocolError = defineErrors({
  // 400
  'missing-body': 'The request has no body',
  'invalid-json': 'The request is not valid JSON',
  'incomplete-request': 'The request was cut short',
  'unreadable-request': 'The request could not be read',
  'invalid-body': 'The request has no valid body',
  'invalid-value': 'Invalid value for {field}',
  'invalid-text': 'The request holds text that is not valid',
  'nested-too-deeply': 'The request is nested too deeply',
  'invalid-idempotency-key': 'The header Idempotency-Key has 8 to 64 letters, digits, _ or -',
  // 401: the session is missing or expired, or userid or token belongs to another customer
  'login-required': 'Please login first',
  // 403
  'cross-site-request': 'This request came from another site',
  // 404
  'no-such-call': 'There is no {method} here',
  // 413
  'request-too-large': 'The request is too large',
  // 414
  'address-too-long': 'The address is too long',
  'address-without-path': 'The address does not begin with a slash',
  // 415
  'unsupported-media-type': 'The request must be application/json',
  // 429
  'too-many-requests': 'Too many requests at once, please try again in a moment',
  'too-many-streams': 'Too many pages of orders are open, please close some of them',
  // 500
  'internal-error': 'Something went wrong, try again later',
  // 503
  'service-busy': 'We are busy right now, please try again in a moment',
});
