import { crc32 } from 'node:zlib';

/**
 * Returns the files of a ZIP archive without compression, by name. Throws if one is damaged. Reads
 * the directory at the end of the archive, like the programs of customers.
 */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('there is no header of a file');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(begin, begin + archive.readUInt32LE(at + 24));
    if (archive.toString('latin1', local, local + 4) !== 'PK\x03\x04' || crc32(content) !== archive.readUInt32LE(at + 16)) {
      throw new Error(`${name} is damaged`);
    }
    files.set(name, content);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
