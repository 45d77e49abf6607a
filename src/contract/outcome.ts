import type { ErrorMessage } from '../i18n/messages.ts';

export interface Done<Data> {
  data: Data;
  error?: never;
}

export interface Refused<Code extends string> {
  data?: never;
  error: ErrorMessage<Code>;
}

/**
 * The result of an operation of a service: its data, or the error that its caller can cause.
 * Routes convert it to an envelope.
 */
export type Outcome<Data, Code extends string> = Done<Data> | Refused<Code>;
