/**
 * Access by call and requester (docs/security.md, I1). access.test.ts makes every call as each
 * requester.
 *
 * Columns:
 *
 * - own: the customer, signed in, with the body of rows.ts.
 * - guest: a guest in another browser, with the same body without the userid.
 * - stranger: no valid session (no cookie, a forged one, an ended one …), with the same body, with
 *   and without the userid.
 * - another's userid: a customer with the userid of another customer.
 * - another's id: a customer with the id of another customer's address, order or claim.
 *
 * Cells:
 *
 * - yes: 200, success.
 * - no: 200, the call's failure response without data; for another's id the same bytes as for an
 *   unknown id.
 * - login: 401, 'Please login first', with equal bytes.
 * - empty: the call has no such field.
 *
 * A rejected call that requires a session writes nothing.
 */
const TABLE = `
call                                  | own | guest | stranger | another's userid | another's id
verification/challenge                | yes | yes   | yes      |                  |
verification/sendcode                 | yes | yes   | yes      |                  |
verification/confirmcode              | yes | no    | no       |                  |
login/signup.php                      | yes | no    | no       |                  |
login/login.php                       | yes | yes   | yes      |                  |
login/logout                          | yes | yes   | yes      |                  |
getters/getsingle.php                 | yes | yes   | yes      |                  |
refer/referfriendbonus.php            | yes | no    | no       |                  |
login/updateuserdetails.php, name     | yes | login | login    | login            |
login/updateuserdetails.php, password | yes | no    | no       | no               |
analytics/settings                    | yes | yes   | yes      |                  |
analytics/collect                     | yes | yes   | yes      |                  |
login/getuserdetails.php              | yes | login | login    | login            |
combinedata/proandrev.php             | yes | yes   | yes      |                  |
reviews/getreviews.php                | yes | yes   | yes      |                  |
reviews/getsummary                    | yes | yes   | yes      |                  |
reviews/addreview.php                 | yes | login | login    | login            |
reviews/getownreviews                 | yes | login | login    | login            |
reviews/withdrawreview                | yes | login | login    | login            | no
error/adderror.php                    | yes | yes   | yes      |                  |
address/address.php                   | yes | login | login    | login            |
address/getaddress.php                | yes | login | login    | login            |
address/getspecificaddress            | yes | login | login    | login            | no
address/editaddress                   | yes | login | login    | login            | no
address/deleteaddress                 | yes | login | login    | login            | no
orders/evenings                       | yes | yes   | yes      |                  |
orders/addorder.php                   | yes | no    | login    | login            | no
orders/getorder.php                   | yes | yes   | login    | login            |
orders/getmoreorder.php               | yes | no    | login    | login            |
orders/getspecificorder.php           | yes | no    | login    | login            | no
orders/cancelorder                    | yes | no    | login    | login            | no
orders/undocancel                     | yes | no    | login    | login            | no
orders/reschedule                     | yes | no    | login    | login            | no
orders/choosedelivery                 | yes | no    | login    | login            | no
combinedata/walletpayment             | yes | login | login    | login            | no
combinedata/paywithwallet             | yes | login | login    | login            | no
payments/getorderdetails.php          | yes | yes   | yes      |                  |
payments/getorderdetails.php, unknown | no  | no    | no       |                  |
payments/getorderpayments             | yes | no    | login    | login            | no
payments/startpayment                 | yes | no    | login    | login            | no
payments/reportpaid                   | yes | no    | login    | login            | no
claims/addphoto                       | yes | yes   | login    | login            |
claims/addclaim                       | yes | no    | login    | login            | no
claims/addreply                       | yes | no    | login    | login            | no
claims/getclaims                      | yes | no    | login    | login            | no
messages/getsettings                  | yes | login | login    | login            |
messages/changesettings               | yes | login | login    | login            |
privacy/deleteaccount                 | yes | login | login    | login            |
privacy/checkdeletion                 | yes | login | login    | login            |
offers/getoffertransaction.php        | yes | login | login    | login            |
transactions/gettransaction.php       | yes | login | login    | login            |
transactions/getmoretransaction.php   | yes | login | login    | login            |
`;

const OUTCOMES = ['yes', 'no', 'login', ''] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Requester = 'own' | 'guest' | 'stranger' | "another's userid" | "another's id";

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
const [requesters = [], ...lines] = TABLE.trim().split('\n').map(cellsOf);

/** Outcomes by the title of a row and by requester. */
export const outcomes: ReadonlyMap<string, Readonly<Record<Requester, Outcome>>> = new Map(
  lines.map(([title = '', ...cells]) => {
    const unknown = cells.find((cell) => !OUTCOMES.some((outcome) => outcome === cell));
    if (unknown !== undefined) throw new Error(`'${unknown}' is not an outcome: ${title}`);
    return [title, Object.fromEntries(cells.map((cell, index) => [requesters[index + 1], cell])) as Record<Requester, Outcome>];
  }),
);
