/**
 * ZIP archives without compression:
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { crc32 } from 'node:zlib';
import { kolkataDateTime } from './dates.ts';

export interface ZipEntry {
  /** Slashes separate folders. */
  name: string;
  modifiedAt: Date;
  content: Buffer;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** Version 2.0 of the format supports folders. */
const VERSION = 20;
const MADE_BY_UNIX = 3 << 8;
/** A file that its owner reads and writes. */
const UNIX_MODE = 0o100600;
const NAME_IS_UTF8 = 0x0800;

/**
 * Yields an archive. Reads an entry when the one before it is yielded, so that one is in memory at
 * a time. Throws `RangeError` beyond 65,535 entries or 4 GB.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, modifiedAt, content } of entries) {
    const nameBytes = Buffer.from(name);
    const fields = commonFields(nameBytes, modifiedAt, content);
    const local = Buffer.concat([uint32(LOCAL_HEADER), fields, nameBytes]);
    const central = Buffer.concat([
      uint32(CENTRAL_HEADER),
      uint16(MADE_BY_UNIX | VERSION),
      fields,
      // No comment, the first disk, no attributes of the content.
      Buffer.alloc(6),
      uint32(UNIX_MODE * 0x10000),
      uint32(offset),
      nameBytes,
    ]);
    directory.push(central);
    offset += local.length + content.length;
    yield local;
    yield content;
  }
  const central = Buffer.concat(directory);
  const count = uint16(directory.length);
  // One disk, and no comment.
  yield Buffer.concat([
    central,
    uint32(END_OF_DIRECTORY),
    Buffer.alloc(4),
    count,
    count,
    uint32(central.length),
    uint32(offset),
    uint16(0),
  ]);
}

/** The fields that both headers of an entry have. */
function commonFields(name: Buffer, modifiedAt: Date, content: Buffer): Buffer {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = kolkataDateTime(modifiedAt).split(/\D/).map(Number);
  const size = uint32(content.length);
  return Buffer.concat([
    uint16(VERSION),
    uint16(NAME_IS_UTF8),
    // Stored without compression.
    uint16(0),
    uint16((hour << 11) | (minute << 5) | (second >> 1)),
    uint16(((year - 1980) << 9) | (month << 5) | day),
    uint32(crc32(content)),
    size,
    size,
    uint16(name.length),
    // No extra field.
    uint16(0),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
