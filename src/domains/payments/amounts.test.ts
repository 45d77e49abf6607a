/**
 * The wallet pays at most half, and the amounts add up to the paisa (docs/security.md, M6).
 */
import { expect, test } from 'vitest';
import { createRandom, newSeed } from '../../../test/support/random.ts';
import { size } from '../../../test/support/size.ts';
import { asPaise } from '../../lib/money.ts';
import { calculateAmounts } from '../orders/rules.ts';
import { unpaidPaise, calculateWalletPart } from './rules.ts';

const seed = newSeed();
const cases = size({ small: 20_000, full: 1_000_000 });

/** The rounding rule of the design in exact integers. */
const halfUp = (numerator: bigint, divisor: bigint) => Number((2n * numerator + divisor) / (2n * divisor));

test(`M6: ${cases} random rates, weights and offers (seed ${seed})`, { timeout: 300_000 }, () => {
  const random = createRandom(seed);
  const faults: object[] = [];
  for (let made = 0; made < cases; made += 1) {
    const order = {
      stage: 'queue',
      ratePaise: asPaise(100 + random.below(1_100_000)),
      // Favours the limits of an offer.
      offerPercent: random.oneIn(5) ? random.pick([0, 1, 99, 100]) : random.below(101),
      weightGrams: 10 * (1 + random.below(random.oneIn(3) ? 100 : 100_000)),
    } as const;
    const amounts = calculateAmounts(order);
    const product = BigInt(order.ratePaise) * BigInt(order.weightGrams);
    const cost = halfUp(product, 1000n);
    const final = halfUp(product * BigInt(100 - order.offerPercent), 100_000n);
    const half = Number(BigInt(final) / 2n);
    const part = calculateWalletPart(order, []);
    const fromWallet = 'partPaise' in part ? part.partPaise : 0;
    const unpaid = unpaidPaise(order, fromWallet) ?? Number.NaN;
    const isCorrect =
      amounts?.cost === cost &&
      amounts.final === final &&
      amounts.discount === cost - final &&
      amounts.discount >= 0 &&
      fromWallet === half &&
      2 * fromWallet <= final &&
      fromWallet + unpaid === final &&
      unpaid - fromWallet >= 0 &&
      unpaid - fromWallet <= 1;
    if (!isCorrect) faults.push({ ...order, amounts, cost, final, fromWallet, unpaid });
  }
  expect(faults.slice(0, 5)).toEqual([]);
});
