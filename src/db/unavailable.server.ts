/** Distinguishes a temporarily unavailable database from a fault in the program. */
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** SQLSTATE of a write on a replica, or on a server that its operator made read-only. */
export const READ_ONLY_CODE = '25006';

/**
 * SQLSTATE: 08 connection, 53 resources, 57P0x shutdown and start-up, 57014 statement timeout,
 * 40 serialization failure and deadlock, 25P03 idle in transaction, 25006 read-only.
 */
const SQL_STATES = /^(08|53|57P0|57014|40|25P03|25006)/;

/**
 * Parts of the messages of errors that node-postgres creates without a code or a class
 * (docs/decisions/0104). No other file recognises an error of the driver by its message.
 */
export const DRIVER_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/**
 * Returns true if the error, or a cause of it, can disappear without a change of the program: a
 * lost connection, a timeout, a shutdown, a deadlock, a read-only server during a failover.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || SQL_STATES.test(code))) return true;
  // The socket file of a stopped server. Any other missing file is a fault of the program.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return DRIVER_MESSAGES.some((part) => error.message.includes(part)) || isUnavailable(error.cause);
}
