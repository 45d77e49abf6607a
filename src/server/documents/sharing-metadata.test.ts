import { expect, test } from 'vitest';
import { defaultBrand } from '../../browser/brand.ts';
import { sharingTags } from './sharing-metadata.server.ts';

const tagsOf = (path: string, publicUrl: string | undefined, head = '<title>Dhulai</title>') =>
  sharingTags(`<head>${head}</head>`, { path, language: 'en', publicUrl, brand: defaultBrand });

test.each([
  ['/', 'https://laundry.example/'],
  ['/home', 'https://laundry.example/'],
  ['/reviews', 'https://laundry.example/reviews'],
  ['/reviews/', 'https://laundry.example/reviews'],
  ['//elsewhere.example', 'https://laundry.example//elsewhere.example'],
])('%s names itself %s', (path, address) => {
  expect(tagsOf(path, 'https://laundry.example')).toContain(`<link rel="canonical" href="${address}">`);
});

test('a program that was not told its address names none: a path is no canonical address', () => {
  expect(tagsOf('/reviews', undefined)).not.toContain('canonical');
});

test('a page that is not to be indexed says nothing of itself', () => {
  expect(tagsOf('/auth/orders', 'https://laundry.example', '<meta name="robots" content="noindex">')).toBe('');
});
