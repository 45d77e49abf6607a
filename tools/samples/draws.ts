import { addSeconds } from '../../src/lib/clock.ts';
import type { Random } from './random.ts';

/** The values that a sample laundry draws from its random numbers. */
export interface Draws extends Pick<Random, 'below' | 'pick'> {
  /** Returns true with this probability. */
  perMille(share: number): boolean;
  /** Returns a whole number, both limits included. */
  between(min: number, max: number): number;
  /** Returns a moment that many seconds after `time`. */
  after(time: Date, minSeconds: number, maxSeconds: number): Date;
  /** Returns an index, in proportion to the weights. */
  weighted(weights: readonly number[]): number;
  /** Like `newId` and `newOrderId`, but reproducible. */
  id(length: number): string;
  bytes(): Buffer;
}

/** The alphabet of `newId`. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS_PER_DRAW = 6;

export function createDraws(random: Random): Draws {
  const { below, pick } = random;
  const between = (min: number, max: number) => min + below(max - min + 1);
  return {
    below,
    pick,
    between,
    perMille: (share) => below(1000) < share,
    after: (time, minSeconds, maxSeconds) => addSeconds(time, between(minSeconds, maxSeconds)),
    weighted(weights) {
      let rest = below(weights.reduce((sum, weight) => sum + weight, 0));
      return weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      });
    },
    id(length) {
      let text = '';
      let bits = 0;
      while (text.length < length) {
        if (text.length % CHARACTERS_PER_DRAW === 0) bits = below(2 ** 30);
        text += ALPHABET[bits & 31];
        bits >>>= 5;
      }
      return text;
    },
    bytes() {
      const buffer = Buffer.alloc(32);
      for (let offset = 0; offset < buffer.length; offset += 4) buffer.writeUInt32LE(below(2 ** 32), offset);
      return buffer;
    },
  };
}
