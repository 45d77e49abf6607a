/** Rows as text of COPY, by table. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Insertable } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DB } from '../../src/db/tables.generated.ts';

const COLUMNS = {
  customers: ['id', 'mobile', 'name', 'password_hash', 'referred_by', 'created_at'],
  addresses: ['id', 'customer_id', 'name', 'mobile', 'address1', 'address2', 'landmark', 'pincode', 'city', 'state', 'area', 'created_at'],
  referral_bonuses: ['new_customer_id', 'referrer_id', 'granted_at'],
  offers: ['id', 'customer_id', 'percent', 'valid_days', 'starts_at', 'reason', 'granted_at'],
  orders: [
    'id',
    'customer_id',
    'guest_session_hash',
    'program_id',
    'program_name',
    'unit',
    'area',
    'base_rate_paise',
    'surcharge_paise',
    'rate_paise',
    'offer_id',
    'offer_percent',
    'order_rate_paise',
    'timeslot',
    'pickup_day',
    'detergent',
    'conditioner',
    'iron',
    'stage',
    'weight_grams',
    'items',
    'ship_name',
    'ship_mobile',
    'ship_address1',
    'ship_address2',
    'ship_landmark',
    'ship_pincode',
    'ship_city',
    'ship_state',
    'placed_at',
    'cancelled_at',
    'cancelled_by',
    'cancelled_from',
    'cancellations',
    'returned_at',
    'is_unpaid',
  ],
  // Without a transaction: no stream of the staff replays the samples.
  order_events: ['order_id', 'kind', 'stage', 'data', 'at', 'xid'],
  idempotency_keys: ['customer_id', 'key', 'body_hash', 'order_id', 'created_at'],
  ledger_accounts: ['id', 'customer_id', 'balance_paise'],
  ledger_entries: ['id', 'kind', 'reason', 'reference', 'order_id', 'created_at', 'xid'],
  ledger_postings: ['entry_id', 'account_id', 'amount_paise', 'created_at'],
  payments: [
    'tid',
    'order_id',
    'method',
    'state',
    'amount_paise',
    'due_paise',
    'reference',
    'gateway',
    'transaction_id',
    'created_at',
    'settled_at',
  ],
  payment_reversals: ['tid', 'reason', 'reversed_at'],
  claims: [
    'id',
    'customer_id',
    'order_id',
    'kind',
    'status',
    'request_key',
    'body_hash',
    'created_at',
    'answer_by',
    'settled_at',
    'settled_paise',
  ],
  claim_messages: ['claim_id', 'author', 'message', 'written_at'],
  reviews: ['id', 'customer_id', 'star', 'message', 'sample', 'created_at', 'order_id'],
} as const satisfies { readonly [Table in keyof DB]?: readonly (keyof DB[Table])[] };

type Table = keyof typeof COLUMNS;
type Row<Name extends Table> = Required<Pick<Insertable<DB[Name]>, (typeof COLUMNS)[Name][number] & keyof Insertable<DB[Name]>>>;

export type AddRow = <Name extends Table>(table: Name, row: Row<Name>) => void;

export interface RowBuffer {
  add: AddRow;
  /** The number of rows that are not written yet. */
  size(): number;
  /** Writes the rows and empties the buffer at once: rows may be added meanwhile. */
  flush(client: pg.Client): Promise<void>;
}

export function createRowBuffer(): RowBuffer {
  let lines = new Map<Table, string[]>();
  let rows = 0;
  return {
    add(table, row) {
      const cells = (COLUMNS[table] as readonly string[]).map((column) => cell((row as Record<string, unknown>)[column]));
      const own = lines.get(table) ?? [];
      if (own.length === 0) lines.set(table, own);
      own.push(`${cells.join('\t')}\n`);
      rows += 1;
    },
    size: () => rows,
    async flush(client) {
      const written = lines;
      lines = new Map();
      rows = 0;
      for (const [table, own] of written) {
        await pipeline(chunksOf(own), client.query(copyFrom(`copy ${table} (${COLUMNS[table].join(', ')}) from stdin`)));
      }
    },
  };
}

const LINES_PER_CHUNK = 1000;

const chunksOf = (lines: readonly string[]) =>
  Readable.from(
    Array.from({ length: Math.ceil(lines.length / LINES_PER_CHUNK) }, (_, chunk) =>
      Buffer.from(lines.slice(chunk * LINES_PER_CHUNK, (chunk + 1) * LINES_PER_CHUNK).join('')),
    ),
  );

/** A value in the text format of COPY. */
function cell(value: unknown): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return String.raw`\N`;
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? String.raw`\\x${value.toString('hex')}` : escaped(JSON.stringify(value));
}

const escaped = (text: string) =>
  /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (mark) => ESCAPES[mark as keyof typeof ESCAPES]) : text;

const ESCAPES = { '\\': String.raw`\\`, '\t': String.raw`\t`, '\n': String.raw`\n`, '\r': String.raw`\r` } as const;
