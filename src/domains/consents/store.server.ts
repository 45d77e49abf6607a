import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { ConsentPurpose } from './contract.ts';

export interface NewConsent {
  purpose: ConsentPurpose;
  text: string;
  language: string;
  isShown: boolean;
}

/**
 * SQL that stores a consent, also as a part of a larger statement. `at` is the time and the rest of
 * the query that selects it. A repeated consent to the same text keeps its first time.
 */
export const insertConsentSql = (customerId: string, { purpose, text, language, isShown }: NewConsent, at: RawBuilder<unknown>) => sql`
  insert into consents (customer_id, purpose, text, language, is_shown, at)
  select ${customerId}, ${purpose}, ${text}, ${language}, ${isShown}::boolean, ${at}
  on conflict do nothing`;

export const insertConsent = (tx: Tx, customerId: string, consent: NewConsent, now: Date) =>
  insertConsentSql(customerId, consent, sql`${now}::timestamptz`).execute(tx);

/** For the export of a customer's data. */
export const listConsents = (db: Db, customerId: string) =>
  db
    .selectFrom('consents')
    .select(['purpose', 'text', 'language', 'is_shown', 'at'])
    .where('customer_id', '=', customerId)
    .orderBy('at')
    .execute();
