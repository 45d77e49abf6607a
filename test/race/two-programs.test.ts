/**
 * Guarantees must also hold for two processes on one database (docs/security.md, R6): repeats test
 * files with alternating requests.
 */
import { describe } from 'vitest';
import { useProcesses } from '../support/program.ts';

useProcesses(2);

describe('M5: wallet payments', async () => {
  await import('../../src/domains/payments/wallet-payment.test.ts');
});
describe('O9, R5: offers', async () => {
  await import('../../src/domains/offers/offers.test.ts');
});
describe('O9: orders', async () => {
  await import('../../src/domains/orders/placing.test.ts');
});
