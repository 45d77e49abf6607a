/** Photos that are built of their parts: a test has one wrong part, and knows each byte. */
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cleanPhoto } from './clean-photo.server.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Returns the cleaned bytes in hex, or the fault. */
function cleaned(file: Buffer): string {
  const result = cleanPhoto(file);
  return 'fault' in result ? result.fault : result.photo.bytes.toString('hex');
}

describe('JPEG', () => {
  const START = hex('ffd8');
  /** 24 by 16 pixels, one component. */
  const FRAME = hex('ffc0 000b 08 0010 0018 01 011100');
  const SCAN = hex('ffda 0008 01 0100 003f00');
  const DATA = hex('0102');
  const END = hex('ffd9');
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.of(0xff, marker, 0, 0);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  };
  const jpeg = (...parts: Buffer[]) => Buffer.concat([START, ...parts]);
  const PICTURE = [FRAME, SCAN, DATA, END];
  /** A table with `values` codes. Each of the 16 counts is at most 255. */
  const huffman = (values: number, kind = 0) => {
    const counts = Buffer.alloc(16);
    counts.writeUInt8(Math.min(values, 200), 0);
    counts.writeUInt8(values - Math.min(values, 200), 1);
    return segment(0xc4, Buffer.concat([Buffer.of(kind), counts, Buffer.alloc(values)]));
  };
  const quantization = (kind: number, bytes: number) => segment(0xdb, Buffer.concat([Buffer.of(kind), Buffer.alloc(bytes)]));
  const ADOBE = segment(0xee, latin1('Adobe\0\0\0\0\0\0\u0001'));

  test.each<[what: string, part: Buffer]>([
    ['a Huffman table', huffman(12)],
    ['a Huffman table of 256 values', huffman(256)],
    ['the second table of the other class', huffman(12, 0x13)],
    ['a quantization table of bytes', quantization(0x03, 64)],
    ['a quantization table of two bytes each', quantization(0x10, 128)],
    ['a restart interval', segment(0xdd, hex('0001'))],
    ['the colours of Adobe', ADOBE],
  ])('keeps %s', (_what, part) => {
    const file = jpeg(part, ...PICTURE);
    expect(cleaned(file)).toBe(file.toString('hex'));
  });

  test.each<[what: string, part: Buffer]>([
    ['the first application segment', segment(0xe0, latin1('Other\0script'))],
    ['a JFXX preview', segment(0xe0, latin1('JFXX\0preview'))],
    ['JFIF in another segment', segment(0xe1, latin1('JFIF\0script'))],
    ['the last application segment', segment(0xef, latin1('script'))],
    ['a comment', segment(0xfe, latin1('script'))],
    ['an empty comment', segment(0xfe, Buffer.alloc(0))],
    ['a longer segment of Adobe', segment(0xee, latin1('Adobe\0\0\0\0\0\0\u0001script'))],
    ['a segment of the same length as that of Adobe', segment(0xee, latin1('Adobf\0\0\0\0\0\0\u0001'))],
    ['the colours of Adobe in another segment', segment(0xed, latin1('Adobe\0\0\0\0\0\0\u0001'))],
  ])('drops %s', (_what, part) => {
    expect(cleaned(jpeg(part, ...PICTURE))).toBe(jpeg(...PICTURE).toString('hex'));
  });

  test('replaces a JFIF header, which can contain a preview', () => {
    const header = segment(0xe0, Buffer.concat([latin1('JFIF\0'), hex('0102 01 0048 0048 01 01 abcdef')]));
    const plain = hex('ffe0 0010 4a46494600 0101 00 0001 0001 00 00');
    expect(cleaned(jpeg(header, ...PICTURE))).toBe(jpeg(plain, ...PICTURE).toString('hex'));
  });

  test('drops fill bytes before a marker', () => {
    const filled = Buffer.concat([hex('ffffff'), segment(0xfe, latin1('script'))]);
    expect(cleaned(jpeg(filled, ...PICTURE))).toBe(jpeg(...PICTURE).toString('hex'));
  });

  test('keeps stuffed bytes, fill bytes and restart markers inside a scan', () => {
    const data = hex('01 ff00 02 ffd0 03 ffd7 04 ffff00 05');
    const file = jpeg(FRAME, SCAN, data, SCAN, DATA, END);
    expect(cleaned(file)).toBe(file.toString('hex'));
  });

  test.each<[what: string, file: Buffer]>([
    ['has no frame', jpeg(SCAN, DATA, END)],
    ['has its frame after its scan', jpeg(SCAN, DATA, FRAME, END)],
    ['has only tables', jpeg(huffman(12), END)],
    ['has two frames', jpeg(FRAME, ...PICTURE)],
    ['has no scan', jpeg(FRAME, END)],
    ['has no end after its scan', jpeg(FRAME, SCAN, DATA)],
    ['has a marker inside a scan that ends it without a segment', jpeg(FRAME, SCAN, hex('01 ffcf 02'), END)],
    ['has no width', jpeg(hex('ffc0 000b 08 0010 0000 01 011100'), SCAN, DATA, END)],
    ['has no height', jpeg(hex('ffc0 000b 08 0000 0018 01 011100'), SCAN, DATA, END)],
    ['has a byte between two segments', jpeg(FRAME, hex('00'), SCAN, DATA, END)],
    ['has another byte in the place of a marker', jpeg(FRAME, hex('00fe 0002'), SCAN, DATA, END)],
    ['has a segment shorter than its length', jpeg(hex('fffe 0001'), ...PICTURE)],
    ['has a segment without a marker of metadata', jpeg(segment(0xf0, latin1('script')), ...PICTURE)],
    ['has a segment for tables without any', jpeg(segment(0xdb, Buffer.alloc(0)), ...PICTURE)],
    ['has a Huffman table of 257 values', jpeg(huffman(257), ...PICTURE)],
    ['has a Huffman table of an unknown class', jpeg(huffman(12, 0x20), ...PICTURE)],
    ['has a quantization table of an unknown precision', jpeg(quantization(0x20, 128), ...PICTURE)],
    ['has a quantization table of half its length', jpeg(quantization(0x10, 64), ...PICTURE)],
  ])('is damaged if it %s', (_what, file) => {
    expect(cleaned(file)).toBe('damaged');
  });

  test('has at most 1,000 parts', () => {
    const withComments = (count: number) => jpeg(...Array.from({ length: count }, () => segment(0xfe, latin1('a'))), ...PICTURE);
    // The frame, the scan and the end are parts, too.
    expect(cleaned(withComments(997))).toBe(jpeg(...PICTURE).toString('hex'));
    expect(cleaned(withComments(998))).toBe('damaged');
  });
});

describe('PNG', () => {
  const chunk = (type: string, content = Buffer.alloc(0)) => {
    const typed = Buffer.concat([latin1(type), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, sum]);
  };
  const png = (...chunks: Buffer[]) => Buffer.concat([hex('89504e470d0a1a0a'), ...chunks]);
  const HEADER = chunk('IHDR', hex('00000018 00000010 08 02 00 00 00'));
  const DATA = chunk('IDAT', hex('0102'));
  const END = chunk('IEND');

  test('keeps the palette and the transparency', () => {
    const file = png(HEADER, chunk('PLTE', hex('010203')), chunk('tRNS', hex('01')), DATA, DATA, END);
    expect(cleaned(file)).toBe(file.toString('hex'));
  });

  test.each(['eXIf', 'tEXt', 'zzZz'])('drops the optional chunk %s', (type) => {
    expect(cleaned(png(HEADER, chunk(type, latin1('script')), DATA, END))).toBe(png(HEADER, DATA, END).toString('hex'));
  });

  test.each<[what: string, file: Buffer]>([
    ['begins with another chunk', png(DATA, HEADER, DATA, END)],
    ['has no header', png(DATA, END)],
    ['has two headers', png(HEADER, HEADER, DATA, END)],
    ['has a short header', png(chunk('IHDR', hex('00000018 00000010')), DATA, END)],
    ['has no data', png(HEADER, END)],
    ['has only an end', png(END)],
    ['has no width', png(chunk('IHDR', hex('00000000 00000010 08 02 00 00 00')), DATA, END)],
    ['has no height', png(chunk('IHDR', hex('00000018 00000000 08 02 00 00 00')), DATA, END)],
    ['has an optional chunk with a digit in its name', png(HEADER, chunk('aBc1'), DATA, END)],
    ['has a chunk of an unknown critical kind', png(HEADER, chunk('ABcd'), DATA, END)],
  ])('is damaged if it %s', (_what, file) => {
    expect(cleaned(file)).toBe('damaged');
  });

  test('has at most 1,000 parts', () => {
    const withTexts = (count: number) => png(HEADER, ...Array.from({ length: count }, () => chunk('tEXt')), DATA, END);
    expect(cleaned(withTexts(997))).toBe(png(HEADER, DATA, END).toString('hex'));
    expect(cleaned(withTexts(998))).toBe('damaged');
  });
});

describe('WebP', () => {
  const chunk = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([latin1(type), length, content, Buffer.alloc(content.length % 2)]);
  };
  const riff = (form: string, name: string, chunks: readonly Buffer[]) => {
    const body = Buffer.concat([latin1(name), ...chunks]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(body.length);
    return Buffer.concat([latin1(form), length, body]);
  };
  const webp = (...chunks: Buffer[]) => riff('RIFF', 'WEBP', chunks);
  /** 24 by 16 pixels. */
  const LOSSY = chunk('VP8 ', hex('000000 9d012a 1800 1000 ab'));
  const LOSSLESS = chunk('VP8L', hex('2f 17c00300 ab'));
  const ALPHA = chunk('ALPH', hex('0102'));
  const EXTENDED = chunk('VP8X', hex('10000000 170000 0f0000'));

  test.each<[what: string, chunks: Buffer[]]>([
    ['a lossy picture', [LOSSY]],
    ['a lossless picture', [LOSSLESS]],
    ['a lossy picture with its transparency', [EXTENDED, ALPHA, LOSSY]],
  ])('keeps %s', (_what, chunks) => {
    const file = webp(...chunks);
    expect(cleanPhoto(file)).toMatchObject({ photo: { width: 24, height: 16 } });
    expect(cleaned(file)).toBe(file.toString('hex'));
  });

  test('drops other chunks, also repeated ones, and the flags of metadata', () => {
    const metadata = [chunk('EXIF', latin1('script')), chunk('EXIF', latin1('again'))];
    const flags = chunk('VP8X', hex('3c000000 170000 0f0000'));
    expect(cleaned(webp(flags, ...metadata, ALPHA, LOSSY))).toBe(webp(EXTENDED, ALPHA, LOSSY).toString('hex'));
    expect(cleaned(webp(EXTENDED, ...metadata, LOSSY))).toBe(webp(LOSSY).toString('hex'));
    expect(cleaned(webp(ALPHA, LOSSLESS))).toBe(webp(LOSSLESS).toString('hex'));
  });

  test.each<[what: string, chunks: Buffer[]]>([
    ['no picture', [EXTENDED]],
    ['a lossy and a lossless picture', [LOSSY, LOSSLESS]],
    ['two lossy pictures', [LOSSY, LOSSY]],
    ['two lossless pictures', [LOSSLESS, LOSSLESS]],
    ['two transparencies', [ALPHA, ALPHA, LOSSY]],
    ['another signature in a lossy picture', [chunk('VP8 ', hex('000000 9d012b 1800 1000 ab'))]],
    ['another signature in a lossless picture', [chunk('VP8L', hex('2e 17c00300 ab'))]],
    ['no width', [chunk('VP8 ', hex('000000 9d012a 0000 1000 ab'))]],
    ['no height', [chunk('VP8 ', hex('000000 9d012a 1800 0000 ab'))]],
  ])('is damaged if it has %s', (_what, chunks) => {
    expect(cleaned(webp(...chunks))).toBe('damaged');
  });

  test('has an unknown type if only one of its two signatures is right', () => {
    expect(cleaned(riff('RIFF', 'WAVE', [LOSSY]))).toBe('unknown-type');
    expect(cleaned(riff('RIFX', 'WEBP', [LOSSY]))).toBe('unknown-type');
  });

  test('has at most 1,000 kinds of chunks', () => {
    const kinds = (count: number) => Array.from({ length: count }, (_, index) => chunk(String(index).padStart(4, '0'), Buffer.alloc(0)));
    expect(cleaned(webp(...kinds(999), LOSSY))).toBe(webp(LOSSY).toString('hex'));
    expect(cleaned(webp(...kinds(1000), LOSSY))).toBe('damaged');
  });
});
