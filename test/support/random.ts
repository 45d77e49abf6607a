/**
 * The seed of random tests. Test names contain the seed, and the environment variable SEED sets it.
 */
import { randomInt } from 'node:crypto';

export { createRandom, type Random } from '../../tools/samples/random.ts';

export const newSeed = () => Number(process.env.SEED ?? randomInt(2 ** 31));
