/**
 * Guarantees must also hold for two processes on one database (docs/security.md, R6): repeats test
 * files with alternating requests.
 */
import { describe } from 'vitest';
import { importWithProcesses } from '../support/program.ts';

describe('M5: wallet payments', () => importWithProcesses(2, () => import('../../src/domains/payments/wallet-payment.test.ts')));
describe('O9, R5: offers', () => importWithProcesses(2, () => import('../../src/domains/offers/offers.test.ts')));
describe('O9: orders', () => importWithProcesses(2, () => import('../../src/domains/orders/placing.test.ts')));
