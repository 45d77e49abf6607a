/**
 * Begins a key that the server derives from a body, because the client sent none: equal bodies are
 * one request. The header Idempotency-Key contains no colon, so that the two never collide.
 */
export const BODY_KEY_PREFIX = 'same:';
