/** Stops the stand-ins of a test file after its tests. */
import { afterAll } from 'vitest';
import { stopStandIns } from './stand-in.ts';

afterAll(stopStandIns);
