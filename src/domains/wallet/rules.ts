/** Limits of the credits that the laundry grants, in paise. They limit a typing mistake. */
export const GRANT_LIMITS = { min: 1, max: 1_000_000 };
