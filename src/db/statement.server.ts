/**
 * A statement that is written once and run with other values each time. Kysely builds and compiles a query anew whenever it is used, and for the nested
 * statements of what is placed or paid that was a third of the program's work (docs/decisions/0016).
 */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type RawBuilder,
} from 'kysely';
import type { Db } from './database.server.ts';
import type { DB } from './tables.generated.ts';

/** What stands for the values while a statement is written. Expressions, so nothing can be decided or computed by a value that is not there yet. */
export type Given<Values> = { readonly [Name in keyof Values]-?: RawBuilder<Values[Name]> };

/** The values of two parts of one statement. A name that both have would put one's value in the other's place unseen: then there is no such type. */
export type Together<One, Other> = [keyof One & keyof Other] extends [never] ? One & Other : never;

export type Statement<Values, Row> = (db: Db, values: Values) => Promise<Row[]>;

/** Kysely's way of building queries apart from any database; it runs none. */
const writing: Db = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Where a value goes. */
class Gap {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const gaps: unknown = new Proxy({}, { get: (_, name) => sql.val(new Gap(String(name))) });

/** `write` is called when the statement is first run, and never again. */
export function statement<Values extends object, Row>(write: (db: Db, given: Given<Values>) => CompiledQuery<Row>): Statement<Values, Row> {
  let written: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    written ??= write(writing, gaps as Given<Values>);
    const parameters = written.parameters.map((parameter) =>
      parameter instanceof Gap ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...written, parameters });
    return rows;
  };
}
