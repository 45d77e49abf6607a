/** Reads the changes of all orders, for the streams of the staff. docs/decisions/0053. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.server.ts';

/** A change of an order, of any kind. */
export interface ChangeRow {
  id: number;
  order_id: string;
  stage: string;
  /** An earlier change may still become visible. */
  is_recent: boolean;
}

export interface Changes {
  /** Every change before this position is visible. */
  position: string;
  changes: ChangeRow[];
}

/**
 * Returns the visible changes since a position, at most `limit`, the oldest first. Without one,
 * returns the current position. A position is the id of a transaction. Rows of a database that was
 * restored may have larger ids than the server has assigned: they are left out.
 */
export async function readChanges(db: Db, since: string | undefined, limit: number): Promise<Changes> {
  const { rows } = await sql<{ position: string } & { [Name in keyof ChangeRow]: ChangeRow[Name] | null }>`
    with now as (select pg_snapshot_xmin(snapshot) as open_from, pg_snapshot_xmax(snapshot) as ends from pg_current_snapshot() snapshot)
    select now.open_from::text as position, change.id, change.order_id, change.stage, change.xid >= now.open_from as is_recent
      from now
      left join lateral (
        select id, order_id, stage, xid from desk_changes where xid >= ${since ?? null}::text::xid8 and xid < now.ends order by id limit ${limit}) change on true
     order by change.id`.execute(db);
  return { position: rows[0]?.position ?? '', changes: rows.filter((row): row is ChangeRow & { position: string } => row.id !== null) };
}
