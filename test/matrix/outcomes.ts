/**
 * Who gets what, call by call (reliability bar, I1): access.test.ts makes every call in every one of these ways.
 *
 * own               its customer, logged in, with the body of rows.ts
 * guest             somebody who has proved a mobile and has no account, with the same body but for the userid
 * stranger          no session, or none that lives: no cookie, a forged one, one that was ended … with the same body and without the userid
 * another's userid  a customer whose body claims to be somebody else
 * another's id      a customer who asks for another's address or order
 *
 * yes    200, success
 * no     200, the call's word for a failure, and no data; for another's id the same bytes as for one that nobody has
 * login  401, 'Please login first', the same bytes for all
 *
 * Whoever is refused a call that asks who is calling has written nothing. A cell is empty where the call takes no such field.
 */
const TABLE = `
call                                  | own | guest | stranger | another's userid | another's id
verification/challenge                | yes | yes   | yes      |                  |
verification/sendcode                 | yes | yes   | yes      |                  |
verification/confirmcode              | no  | no    | no       |                  |
login/signup.php                      | no  | no    | no       |                  |
login/login.php                       | yes | yes   | yes      |                  |
login/logout                          | yes | yes   | yes      |                  |
getters/getsingle.php                 | yes | yes   | yes      |                  |
refer/referfriendbonus.php            | no  | no    | no       |                  |
login/updateuserdetails.php, name     | yes | login | login    | login            |
login/updateuserdetails.php, password | no  | no    | no       | no               |
analytics/settings                    | yes | yes   | yes      |                  |
analytics/collect                     | yes | yes   | yes      |                  |
login/getuserdetails.php              | yes | login | login    | login            |
combinedata/proandrev.php             | yes | yes   | yes      |                  |
reviews/getreviews.php                | yes | yes   | yes      |                  |
reviews/getsummary                    | yes | yes   | yes      |                  |
reviews/addreview.php                 | yes | login | login    | login            |
error/adderror.php                    | yes | yes   | yes      |                  |
address/address.php                   | yes | login | login    | login            |
address/getaddress.php                | yes | login | login    | login            |
address/getspecificaddress            | yes | login | login    | login            | no
address/editaddress                   | yes | login | login    | login            | no
address/deleteaddress                 | yes | login | login    | login            | no
orders/addorder.php                   | yes | no    | login    | login            | no
orders/getorder.php                   | yes | yes   | login    | login            |
orders/getmoreorder.php               | yes | no    | login    | login            |
orders/getspecificorder.php           | yes | no    | login    | login            | no
combinedata/walletpayment             | yes | login | login    | login            | no
combinedata/paywithwallet             | yes | login | login    | login            | no
payments/getorderdetails.php          | no  | no    | no       |                  |
payments/getorderpayments             | yes | no    | login    | login            | no
payments/startpayment                 | yes | no    | login    | login            | no
offers/getoffertransaction.php        | yes | login | login    | login            |
transactions/gettransaction.php       | yes | login | login    | login            |
transactions/getmoretransaction.php   | yes | login | login    | login            |
`;

const WORDS = ['yes', 'no', 'login', ''] as const;
export type Outcome = (typeof WORDS)[number];
export type Requester = 'own' | 'guest' | 'stranger' | "another's userid" | "another's id";

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
const [heads = [], ...lines] = TABLE.trim().split('\n').map(cellsOf);

/** By a row's title, and by the way. */
export const outcomes: ReadonlyMap<string, Readonly<Record<Requester, Outcome>>> = new Map(
  lines.map(([title = '', ...cells]) => {
    const unknown = cells.find((cell) => !WORDS.some((word) => word === cell));
    if (unknown !== undefined) throw new Error(`'${unknown}' is no outcome: ${title}`);
    return [title, Object.fromEntries(cells.map((cell, index) => [heads[index + 1], cell])) as Record<Requester, Outcome>];
  }),
);
