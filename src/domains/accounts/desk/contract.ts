/** Errors of the laundry about accounts. Only the server and the console load this file. */
import { defineErrors } from '../../../contract/errors.ts';

export const erasureError = defineErrors({
  'customer-erased': 'The customer has deleted the account. Nothing can be added, changed or credited any more.',
});
