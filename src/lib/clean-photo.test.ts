import { describe, expect, test } from 'vitest';
import { createRandom, newSeed } from '../../test/support/random.ts';
import { samplePhoto, withSegment } from '../../test/support/photos.ts';
import { cleanPhoto } from './clean-photo.server.ts';

const SAMPLES = [
  { name: 'jpeg', type: 'image/jpeg' },
  { name: 'progressive', type: 'image/jpeg' },
  { name: 'png', type: 'image/png' },
  { name: 'webp', type: 'image/webp' },
  { name: 'lossless', type: 'image/webp' },
  { name: 'alpha', type: 'image/webp' },
] as const;

const cleaned = (file: Buffer) => {
  const result = cleanPhoto(file);
  if ('fault' in result) throw new Error(result.fault);
  return result.photo;
};

const SCRIPT = '<script>alert(document.cookie)</script>';
const METADATA = ['CameraMaker', 'Somebody', 'Exif', 'EXIF', 'eXIf', 'ICCP', 'iCCP', 'ICC_PROFILE', 'XMP', SCRIPT];
const metadataIn = (bytes: Buffer) => METADATA.filter((text) => bytes.includes(text));

describe.each(SAMPLES)('$name', ({ name, type }) => {
  test('keeps type and size, and removes all metadata', () => {
    const { bytes, ...properties } = cleaned(samplePhoto(name));
    expect(properties).toEqual({ type, width: 24, height: 16 });
    expect(metadataIn(bytes)).toEqual([]);
  });

  test('a clean photo stays the same, byte for byte', () => {
    const { bytes } = cleaned(samplePhoto(name));
    expect(cleaned(bytes).bytes.equals(bytes)).toBe(true);
  });

  test('removes what follows its end', () => {
    const { bytes } = cleaned(Buffer.concat([samplePhoto(name), Buffer.from(SCRIPT)]));
    expect(bytes.equals(cleaned(samplePhoto(name)).bytes)).toBe(true);
  });

  test('is damaged if it ends early', () => {
    const { bytes } = cleaned(samplePhoto(name));
    for (let length = 12; length < bytes.length; length += 1) {
      expect([length, cleanPhoto(bytes.subarray(0, length))]).toEqual([length, { fault: 'damaged' }]);
    }
  });

  const seed = newSeed();
  test(`changed bytes never make it throw or keep metadata (seed ${seed})`, () => {
    const random = createRandom(seed);
    let faults = 0;
    for (let round = 0; round < 3000; round += 1) {
      const file = Buffer.from(samplePhoto(name));
      for (let changes = 1 + random.below(4); changes > 0; changes -= 1) file[random.below(file.length)] = random.below(256);
      const result = cleanPhoto(file);
      if ('fault' in result) faults += 1;
      else expect(metadataIn(result.photo.bytes)).toEqual([]);
    }
    expect(faults).toBeGreaterThan(0);
  });
});

test('the samples contain metadata before they are cleaned', () => {
  for (const name of ['jpeg', 'png', 'webp', 'alpha'] as const) expect(metadataIn(samplePhoto(name)), name).toContain('CameraMaker');
});

test.each([
  ['a comment', 0xfe],
  ['an application segment', 0xe1],
  ['a second JFIF header', 0xe0],
])('removes a script in %s of a JPEG', (_what, marker) => {
  const jpeg = withSegment(samplePhoto('jpeg'), marker, `JFIF\0${SCRIPT}`);
  expect(jpeg.includes(SCRIPT)).toBe(true);
  expect(metadataIn(cleaned(jpeg).bytes)).toEqual([]);
});

test('a JPEG with a segment of an unknown kind is damaged', () => {
  expect(cleanPhoto(withSegment(samplePhoto('jpeg'), 0xc9, SCRIPT))).toEqual({ fault: 'damaged' });
});

test.each([
  ['Huffman tables', 0xc4],
  ['quantization tables', 0xdb],
  ['a restart interval', 0xdd],
])('a JPEG with a script under the marker of %s is damaged', (_what, marker) => {
  expect(cleanPhoto(withSegment(samplePhoto('jpeg'), marker, SCRIPT))).toEqual({ fault: 'damaged' });
  expect(cleanPhoto(withSegment(samplePhoto('jpeg'), marker, `\0${SCRIPT}`))).toEqual({ fault: 'damaged' });
});

test('a JPEG with a script in its frame or its scan is damaged', () => {
  const jpeg = cleaned(samplePhoto('jpeg')).bytes;
  for (const marker of [0xc0, 0xda]) {
    const start = jpeg.indexOf(Buffer.of(0xff, marker));
    const end = start + 2 + jpeg.readUInt16BE(start + 2);
    const longer = Buffer.concat([jpeg.subarray(0, end), Buffer.from(SCRIPT), jpeg.subarray(end)]);
    longer.writeUInt16BE(end - start - 2 + SCRIPT.length, start + 2);
    expect(cleanPhoto(longer), String(marker)).toEqual({ fault: 'damaged' });
  }
});

test('a PNG with a wrong checksum or an unknown critical chunk is damaged', () => {
  const png = cleaned(samplePhoto('png')).bytes;
  const wrong = Buffer.from(png);
  wrong.writeUInt8(wrong.readUInt8(30) ^ 1, 30);
  expect(cleanPhoto(wrong)).toEqual({ fault: 'damaged' });
  const unknown = Buffer.concat([png.subarray(0, 33), Buffer.from('00000000415a415a', 'hex'), Buffer.alloc(4), png.subarray(33)]);
  expect(cleanPhoto(unknown)).toEqual({ fault: 'damaged' });
});

test('a WebP of many empty chunks, and a JPEG of many fill bytes, are damaged', () => {
  const webp = cleaned(samplePhoto('webp')).bytes;
  const chunks = Buffer.from('XXXX\0\0\0\0'.repeat(1000));
  const many = Buffer.concat([webp, chunks]);
  many.writeUInt32LE(many.length - 8, 4);
  expect(cleanPhoto(many)).toEqual({ fault: 'damaged' });
  const jpeg = cleaned(samplePhoto('jpeg')).bytes;
  const filled = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(1001, 0xff), jpeg.subarray(-2)]);
  expect(cleanPhoto(filled)).toEqual({ fault: 'damaged' });
});

test('an animation is damaged: it has no single picture', () => {
  expect(cleanPhoto(samplePhoto('animated'))).toEqual({ fault: 'damaged' });
});

test.each([
  ['nothing', ''],
  ['a text', 'just a text'],
  ['an SVG with a script', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`],
  ['an HTML page', `<!doctype html>${SCRIPT}`],
  ['a GIF', 'GIF89a'],
  ['a PDF', '%PDF-1.7'],
  ['a ZIP', 'PK\u0003\u0004'],
  ['a script before a JPEG', `${SCRIPT}${samplePhoto('jpeg').toString('latin1')}`],
  ['a HEIC photo', '\0\0\0\u0018ftypheic'],
])('%s has an unknown type', (_what, text) => {
  expect(cleanPhoto(Buffer.from(text, 'latin1'))).toEqual({ fault: 'unknown-type' });
});

const SCAN = Buffer.from('ffda0008010100003f00', 'hex');

test.each([
  ['scans', SCAN],
  ['restart intervals', Buffer.from('ffdd00040001', 'hex')],
])('a JPEG of 2,000 %s is damaged: they would take more memory than the file', (_what, segment) => {
  const frame = Buffer.from('ffd8ffc0000b080010001801011100', 'hex');
  const withParts = (count: number) =>
    cleanPhoto(Buffer.concat([frame, ...Array.from({ length: count }, () => segment), SCAN, Buffer.from('ffd9', 'hex')]));
  expect(withParts(2)).toMatchObject({ photo: { width: 24, height: 16 } });
  expect(withParts(2000)).toEqual({ fault: 'damaged' });
});
