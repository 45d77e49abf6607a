import pino, { type DestinationStream, type Logger } from 'pino';
import { serializeError } from './error-serializer.server.ts';

export type Log = Logger;

/** The log of the program. Requests log in children of it. */
export const createLog = (level: string, stream?: DestinationStream): Log =>
  pino({ level, serializers: { err: (error: unknown) => serializeError(error) } }, stream);
