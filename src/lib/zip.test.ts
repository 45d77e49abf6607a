import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { zip, type ZipEntry } from './zip.server.ts';

const ENTRIES: ZipEntry[] = [
  { name: 'orders/1.json', modifiedAt: new Date('2026-11-27T12:34:57+05:30'), content: Buffer.from('{}') },
  { name: 'फ़.txt', modifiedAt: new Date('1980-01-01T00:00:00+05:30'), content: Buffer.alloc(0) },
];

/** Python's zipfile reads the entries with their names, times and modes from these bytes. */
const ARCHIVE = [
  // The local header and the content of each entry.
  '504b03041400000800005c647b5d43bfa6a302000000020000000d0000006f72646572732f312e6a736f6e7b7d',
  '504b0304140000080000000021000000000000000000000000000a000000e0a4abe0a4bc2e747874',
  // The directory, and its end.
  '504b010214031400000800005c647b5d43bfa6a302000000020000000d00000000000000000000008081000000006f72646572732f312e6a736f6e',
  '504b01021403140000080000000021000000000000000000000000000a000000000000000000000080812d000000e0a4abe0a4bc2e747874',
  '504b0506000000000200020073000000550000000000',
];

async function* inOrder(entries: readonly ZipEntry[], read?: (name: string) => void) {
  for (const entry of entries) {
    read?.(entry.name);
    yield entry;
  }
}

const partsOf = (archive: AsyncIterable<Buffer>): Promise<Buffer[]> => Readable.from(archive).toArray();

test('stores names in UTF-8, times of Asia/Kolkata, and a mode for the owner', async () => {
  const parts = await partsOf(zip(inOrder(ENTRIES)));
  expect(Buffer.concat(parts).toString('hex')).toBe(ARCHIVE.join(''));
});

test('an archive without entries has only the end of its directory', async () => {
  const parts = await partsOf(zip(inOrder([])));
  expect(Buffer.concat(parts).toString('hex')).toBe(`504b0506${'00'.repeat(18)}`);
});

test('reads an entry when the one before it is yielded', async () => {
  const read: string[] = [];
  const parts = zip(inOrder(ENTRIES, (name) => read.push(name)));
  await parts.next();
  await parts.next();
  expect(read).toEqual(['orders/1.json']);
  await parts.next();
  expect(read).toEqual(['orders/1.json', 'फ़.txt']);
});

test('throws a RangeError beyond 65,535 entries', async () => {
  const entry = { name: 'a', modifiedAt: new Date('2026-11-27T12:00:00+05:30'), content: Buffer.alloc(0) };
  const count = async (entries: number) => (await partsOf(zip(inOrder(Array.from({ length: entries }, () => entry))))).length;
  expect(await count(65_535)).toBe(2 * 65_535 + 1);
  await expect(count(65_536)).rejects.toThrow(RangeError);
});
