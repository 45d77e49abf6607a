/**
 * The rows of a table as a stream, in the text format of COPY. The package pg has no streams for
 * COPY; a query object receives the messages of the protocol from its client.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** Missing in the types of pg. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** PostgreSQL sends one message for each row. Larger chunks cost less. */
const CHUNK_BYTES = 64 * 1024;

class CopyQuery implements pg.Submittable {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  submit(connection: pg.Connection) {
    connection.query(this.#text);
  }
  handleRowDescription() {}
  handleDataRow() {}
  handleCommandComplete() {}
  handleEmptyQuery() {}
}

class CopyOutQuery extends CopyQuery {
  connection: pg.Connection | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #rows: Readable;
  constructor(text: string, rows: Readable) {
    super(text);
    this.#rows = rows;
  }
  override submit(connection: pg.Connection) {
    this.connection = connection;
    super.submit(connection);
  }
  handleCopyData({ chunk }: { chunk: Buffer }) {
    // The client reuses its buffer.
    this.#chunks.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= CHUNK_BYTES && !this.#flush()) this.connection?.stream.pause();
  }
  handleError(error: Error) {
    this.#rows.destroy(error);
  }
  handleReadyForQuery() {
    this.#flush();
    this.#rows.push(null);
  }
  /** Returns false if the reader is slower. */
  #flush(): boolean {
    const chunk = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    return chunk.length === 0 || this.#rows.push(chunk);
  }
}

/**
 * Runs a `copy … to stdout` and returns its rows. If the reader destroys the stream, the connection
 * cannot be used any more.
 */
export function copyOut(client: pg.Client, text: string): Readable {
  const rows = new Readable({ read: () => void query.connection?.stream.resume() });
  const query = new CopyOutQuery(text, rows);
  client.query(query);
  return rows;
}

class CopyInQuery extends CopyQuery {
  #failed = false;
  readonly #source: AsyncIterable<Buffer>;
  readonly #settle: (error?: Error) => void;
  constructor(text: string, source: AsyncIterable<Buffer>, settle: (error?: Error) => void) {
    super(text);
    this.#source = source;
    this.#settle = settle;
  }
  handleCopyInResponse(connection: CopyConnection) {
    void this.#send(connection);
  }
  handleError(error: Error) {
    this.#failed = true;
    this.#settle(error);
  }
  handleReadyForQuery() {
    this.#settle();
  }
  async #send(connection: CopyConnection) {
    try {
      for await (const chunk of this.#source) {
        if (this.#failed) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail((error as Error).message);
    }
  }
}

/** Runs a `copy … from stdin` with these rows. Rejects if PostgreSQL or the source fails. */
export const copyIn = (client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyInQuery(text, source, (error) => (error ? reject(error) : resolve())));
  });
