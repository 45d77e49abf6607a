import type { ErrorMessage } from '../i18n/messages.ts';

/**
 * The result of an operation of a service: its data, or the error that its caller can cause.
 * Routes convert it to an envelope.
 */
export type Outcome<Data, Code extends string> = { data: Data; error?: never } | { data?: never; error: ErrorMessage<Code> };
