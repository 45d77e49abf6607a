import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { defaultBrand } from '../../shared/brand.ts';
import { SharingMetadata } from './sharing-metadata.server.tsx';

const render = (path: string, publicUrl: string | undefined) =>
  renderToStaticMarkup(
    <SharingMetadata meta={[{ title: 'Dhulai' }]} path={path} languageCode="en" publicUrl={publicUrl} brand={defaultBrand} />,
  );

test.each([
  ['/', 'https://laundry.example/'],
  ['/home', 'https://laundry.example/'],
  ['/reviews', 'https://laundry.example/reviews'],
  ['/reviews/', 'https://laundry.example/reviews'],
  ['//elsewhere.example', 'https://laundry.example//elsewhere.example'],
])('the canonical address of %s is %s', (path, address) => {
  expect(render(path, 'https://laundry.example')).toContain(`<link rel="canonical" href="${address}"/>`);
});

test('without PUBLIC_URL there is no canonical address', () => {
  expect(render('/reviews', undefined)).not.toContain('canonical');
});
