/** What a caller without a session is told, by whichever call. Specification section 8. */
export const sessionMessages = { loginFirst: 'Please login first' } as const;
