/** The calls of customers for their own data: a copy and its deletion. docs/decisions/0075. */
import * as z from 'zod/mini';
import { expectedUserid, defineCall, noData, rupees } from '../../contract/define-call.ts';
import { defineErrors } from '../../contract/errors.ts';
import { defineMessages } from '../../i18n/messages.ts';

/**
 * A backup is deleted within these days, and with it the data of accounts that were deleted since
 * (docs/operations.md, "Backup and restore").
 */
export const BACKUP_DAYS = 30;

export const privacyMessages = defineMessages({
  exported: 'A copy of your data',
  checked: 'What prevents the deletion of your account',
  deleted: 'Your account is deleted',
});

export const privacyError = defineErrors({
  'code-not-confirmed': 'Please confirm the code that we send to your mobile first',
  'orders-open':
    'You have orders under way, or clothes that we still have to bring back. Wait until you have them, or cancel an order before its pickup.',
  'reports-open': 'You have reports that are not settled yet. Wait until they are.',
  'gateway-payment-pending': 'An online payment is not confirmed yet. Try again once it is.',
  'upi-payment-reported':
    'You reported a UPI payment that we have not found at our bank yet. Try again once we have checked it, or call us.',
  'orders-unpaid': 'You have orders that are delivered and not paid. Pay them first.',
  'wallet-not-empty': 'You would lose ₹{amount}. Spend it first, or tick: I give it up',
});

/** The obstacles that a customer has to remove before a deletion. */
const DELETION_OBSTACLES = ['orders-open', 'reports-open', 'gateway-payment-pending', 'upi-payment-reported', 'orders-unpaid'] as const;
export type DeletionObstacle = (typeof DELETION_OBSTACLES)[number];

/**
 * The file with a copy of everything that is stored about the signed-in customer. Needs a confirmed
 * code with the purpose `export` for the mobile of the account in this browser, which a whole
 * download uses up. Leads to the page otherwise.
 */
export const DATA_COPY_PATH = '/privacy/datacopy.zip';

export const checkDeletion = defineCall({
  method: 'POST',
  path: 'privacy/checkdeletion',
  summary:
    'What prevents the deletion of the account, and the money that it would lose. `orderids` are orders of the account; `guest_orders` counts those that a guest placed with its mobile, which it cannot see. Their reports and money are included once a code with the purpose `deletion` is confirmed in this browser.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid }),
  data: z.object({
    obstacles: z.array(z.object({ kind: z.enum(DELETION_OBSTACLES), orderids: z.array(z.string()), guest_orders: z.int() })),
    loss: rupees,
  }),
});
export type DeletionCheck = z.output<typeof checkDeletion.data>;

export const deleteAccount = defineCall({
  method: 'POST',
  path: 'privacy/deleteaccount',
  summary:
    'Delete the account for good and end all its sessions. Needs a confirmed code with the purpose `deletion` for the mobile of the account in this browser, which a success uses up. `gives_up` is the greatest loss of money that the customer accepts.',
  caller: 'customer',
  errors: privacyError.texts,
  body: z.object({ userid: expectedUserid, gives_up: z.optional(rupees) }),
  data: noData,
});
