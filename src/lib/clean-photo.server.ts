/**
 * Recognises a photo by its content and removes everything that is not its picture: location,
 * camera, comments, previews, and bytes after its end. docs/decisions/0046.
 */
import { crc32 } from 'node:zlib';

const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

export interface CleanPhoto {
  type: PhotoType;
  bytes: Buffer;
  width: number;
  height: number;
}

/** `unknown-type`: the file does not start like a photo. `damaged`: its structure is invalid. */
export type CleanedPhoto = { photo: CleanPhoto } | { fault: 'unknown-type' | 'damaged' };

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Copies the parts in their order, without decoding them. Never throws. */
export function cleanPhoto(file: Buffer): CleanedPhoto {
  const clean = cleanerOf(file);
  if (!clean) return { fault: 'unknown-type' };
  try {
    return { photo: clean(file) };
  } catch (error) {
    if (error instanceof Damaged || error instanceof RangeError) return { fault: 'damaged' };
    throw error;
  }
}

function cleanerOf(file: Buffer): ((file: Buffer) => CleanPhoto) | undefined {
  if (file.length >= 3 && file.readUIntBE(0, 3) === 0xffd8ff) return cleanJpeg;
  if (file.subarray(0, 8).equals(PNG_SIGNATURE)) return cleanPng;
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return cleanWebp;
  return undefined;
}

class Damaged extends Error {}

/** Limits the memory for the parts of a file. Photos of cameras have fewer parts. */
const MAX_PARTS = 1000;

/** Throws `Damaged` if the condition is false. */
function check(condition: boolean): asserts condition {
  if (!condition) throw new Damaged();
}

/** Returns `length` bytes. Throws if the file is shorter. */
function slice(file: Buffer, start: number, length: number): Buffer {
  check(start + length <= file.length);
  return file.subarray(start, start + length);
}

// JPEG (ITU T.81): segments with a marker and a length, and compressed data after each SOS.

const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP14 = 0xee;
/** Baseline, extended and progressive frames with Huffman coding. Browsers decode no others. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const HUFFMAN_TABLES = 0xc4;
const QUANTIZATION_TABLES = 0xdb;
const RESTART_INTERVAL = 0xdd;
/** Returns true for a segment without picture data: applications 0 to 15, and comments. */
const isMetadata = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** Decoders need it for the colours. Unlike other application segments, it has no preview. */
const JFIF = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
const ADOBE_LENGTH = 14;

/** Removes the metadata. Throws `Damaged` or `RangeError` for a damaged file. */
function cleanJpeg(file: Buffer): CleanPhoto {
  const kept = [slice(file, 0, 2)];
  let frame: { width: number; height: number } | undefined;
  let hasScan = false;
  let at = 2;
  for (let parts = 0; ; parts += 1) {
    check(parts < MAX_PARTS && file.readUInt8(at) === 0xff);
    while (file.readUInt8(at + 1) === 0xff) at += 1;
    const marker = file.readUInt8(at + 1);
    if (marker === EOI) break;
    const length = file.readUInt16BE(at + 2);
    check(length >= 2);
    const segment = slice(file, at, length + 2);
    at += segment.length;

    if (FRAMES.has(marker)) {
      check(!frame && length === 8 + 3 * segment.readUInt8(9));
      frame = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
      kept.push(segment);
    } else if (marker === SOS) {
      check(frame !== undefined && length === 6 + 2 * segment.readUInt8(4));
      hasScan = true;
      const end = endOfScan(file, at);
      kept.push(segment, file.subarray(at, end));
      at = end;
    } else if (hasTables(marker, segment.subarray(4))) kept.push(segment);
    else if (marker === APP0 && segment.toString('latin1', 4, 9) === 'JFIF\0') kept.push(JFIF);
    else if (marker === APP14 && length === ADOBE_LENGTH && segment.toString('latin1', 4, 9) === 'Adobe') kept.push(segment);
    else check(isMetadata(marker));
  }
  check(frame !== undefined && hasScan && frame.width > 0 && frame.height > 0);
  kept.push(Buffer.of(0xff, EOI));
  return { type: 'image/jpeg', bytes: Buffer.concat(kept), ...frame };
}

/**
 * Returns true if the content has the lengths of the tables of its marker (ITU T.81, section
 * B.2.4). Other data in a segment for tables does not have them.
 */
function hasTables(marker: number, content: Buffer): boolean {
  if (marker === RESTART_INTERVAL) return content.length === 2;
  if (marker !== HUFFMAN_TABLES && marker !== QUANTIZATION_TABLES) return false;
  let at = 0;
  while (at < content.length) at += marker === HUFFMAN_TABLES ? huffmanTableLength(content, at) : quantizationTableLength(content, at);
  return content.length > 0 && at === content.length;
}

/**
 * Returns the length: one byte for class and number, 16 counts, and one value for each counted
 * code. Throws if the table is invalid.
 */
function huffmanTableLength(content: Buffer, at: number): number {
  check((content.readUInt8(at) & 0xec) === 0);
  const values = slice(content, at + 1, 16).reduce((sum, count) => sum + count, 0);
  check(values <= 256);
  return 17 + values;
}

/**
 * Returns the length: one byte for precision and number, and 64 values of one or two bytes. Throws
 * if the table is invalid.
 */
function quantizationTableLength(content: Buffer, at: number): number {
  const precisionAndNumber = content.readUInt8(at);
  check((precisionAndNumber & 0xec) === 0);
  return precisionAndNumber < 0x10 ? 65 : 129;
}

/** Fill bytes in front of a marker. A camera writes none or a few. */
const MAX_FILL_BYTES = 1000;

/**
 * Returns the position of the first marker after the compressed data. Skips restart markers. Throws
 * `Damaged` if there is none, or too many fill bytes.
 */
function endOfScan(file: Buffer, start: number): number {
  let fillBytes = 0;
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file.readUInt8(at + 1);
    if (next === 0xff) fillBytes += 1;
    check(fillBytes <= MAX_FILL_BYTES);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new Damaged();
}

// PNG: chunks with a length, a type and a checksum.

/** The chunks of the picture. The dropped ones are optional: their names begin in lower case. */
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Removes the metadata. Throws `Damaged` or `RangeError` for a damaged file. */
function cleanPng(file: Buffer): CleanPhoto {
  const kept: Buffer[] = [PNG_SIGNATURE];
  const types: string[] = [];
  let at = PNG_SIGNATURE.length;
  let header: Buffer | undefined;
  while (types.at(-1) !== 'IEND') {
    check(types.length < MAX_PARTS);
    const chunk = slice(file, at, file.readUInt32BE(at) + 12);
    const type = chunk.toString('latin1', 4, 8);
    check(crc32(chunk.subarray(4, -4)) === chunk.readUInt32BE(chunk.length - 4));
    check(types.length > 0 === (type !== 'IHDR'));
    header ??= chunk;
    types.push(type);
    at += chunk.length;
    if (PNG_CHUNKS.has(type)) kept.push(chunk);
    else check(/^[a-z][A-Za-z]{3}$/.test(type));
  }
  check(header?.length === 25 && types.includes('IDAT'));
  const [width, height] = [header.readUInt32BE(8), header.readUInt32BE(12)];
  check(width > 0 && height > 0);
  return { type: 'image/png', bytes: Buffer.concat(kept), width, height };
}

// WebP: a RIFF container with chunks, each padded to an even length.

const RIFF_HEADER_LENGTH = 12;
const ALPHA_FLAG = 0x10;

/**
 * Removes the metadata. Throws `Damaged` or `RangeError` for a damaged file, and for an animation,
 * whose pictures are inside frames.
 */
function cleanWebp(file: Buffer): CleanPhoto {
  const end = file.readUInt32LE(4) + 8;
  check(end <= file.length);
  const chunks = new Map<string, Buffer>();
  let count = 0;
  for (let at = RIFF_HEADER_LENGTH; at < end;) {
    count += 1;
    const length = file.readUInt32LE(at + 4);
    const chunk = slice(file, at, 8 + length);
    const type = chunk.toString('latin1', 0, 4);
    check(count <= MAX_PARTS && (!['VP8 ', 'VP8L', 'ALPH'].includes(type) || !chunks.has(type)));
    chunks.set(type, chunk);
    at += chunk.length + (length % 2);
  }
  const [lossy, lossless, alpha] = ['VP8 ', 'VP8L', 'ALPH'].map((type) => chunks.get(type));
  check((lossy === undefined) !== (lossless === undefined));
  const size = lossy ? lossySize(lossy) : losslessSize(lossless);
  const parts = lossless ? [lossless] : lossy && alpha ? [extendedHeader(size), alpha, lossy] : lossy ? [lossy] : [];
  const body = Buffer.concat(parts.flatMap((part) => (part.length % 2 ? [part, Buffer.of(0)] : [part])));
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  header.writeUInt32LE(body.length + 4, 4);
  return { type: 'image/webp', bytes: Buffer.concat([header, body]), ...size };
}

type Size = { width: number; height: number };

/** Reads the size in the header of a key frame (RFC 6386, section 9.1). */
function lossySize(chunk: Buffer): Size {
  check(chunk.readUIntBE(11, 3) === 0x9d012a);
  const size = { width: chunk.readUInt16LE(14) & 0x3fff, height: chunk.readUInt16LE(16) & 0x3fff };
  check(size.width > 0 && size.height > 0);
  return size;
}

/** Throws `Damaged` without the signature of a lossless picture. */
function losslessSize(chunk: Buffer | undefined): Size {
  check(chunk?.readUInt8(8) === 0x2f);
  const bits = chunk.readUInt32LE(9);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Returns the extended header without the flags of metadata. */
function extendedHeader({ width, height }: Size): Buffer {
  const chunk = Buffer.alloc(18);
  chunk.write('VP8X', 'latin1');
  chunk.writeUInt32LE(10, 4);
  chunk.writeUInt8(ALPHA_FLAG, 8);
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  return chunk;
}
