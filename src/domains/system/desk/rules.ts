export const LEDGER_JOB = 'audit the ledger';
