/** What holds for one program has to hold for two on one database (reliability bar, R6). Suites that were written for one, once more: each request goes to the next of two. */
import { describe } from 'vitest';
import { useProcesses } from '../support/program.ts';

useProcesses(2);

describe('M5: paying from the wallet', async () => {
  await import('../../src/domains/payments/wallet-payment.test.ts');
});
describe('O9, R5: offers', async () => {
  await import('../../src/domains/offers/offers.test.ts');
});
describe('O9: orders', async () => {
  await import('../../src/domains/orders/placing.test.ts');
});
