/** The message of every call that needs a session. Specification section 8. */
export const sessionMessages = { loginFirst: 'Please login first' } as const;
