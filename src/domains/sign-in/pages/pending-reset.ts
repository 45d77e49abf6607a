/** Whose password is being reset, between the code and the new password. In memory only: a reload starts again. */
export interface PendingReset {
  mobile: string;
  /** The handle that the look-up answered in place of the userid (design section 6, "getsingle.php"). */
  userid: string;
}

let pending: PendingReset | undefined;

export const pendingReset = () => pending;

export function setPendingReset(reset: PendingReset | undefined) {
  pending = reset;
}
