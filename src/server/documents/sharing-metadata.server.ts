/** What search engines and chats read of a page. It stands in documents only: nothing of it is needed by a browser that is already here. */
import { escapeHtml } from '../../lib/escape-html.server.ts';
import type { Brand } from '../../browser/brand.ts';

/** Written by tools/draw-icons.ts. */
const SHARED_PICTURE = { path: '/icons/shared.png', width: 1200, height: 630 };

/** Title and description are the page's own; one that is not to be indexed gets nothing. `/home` is `/` by another name. */
export function sharingTags(
  html: string,
  { path, language, publicUrl, brand }: { path: string; language: string; publicUrl: string | undefined; brand: Brand },
): string {
  if (/<meta name="robots" content="noindex"/.test(html)) return '';
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';
  const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
  const address = absolute(path === '/home' ? '/' : path.replace(/(?<=.)\/$/, ''), publicUrl);
  const properties = {
    'og:type': 'website',
    'og:site_name': escapeHtml(brand.name),
    'og:title': title,
    'og:description': description,
    'og:url': escapeHtml(address),
    'og:image': escapeHtml(absolute(SHARED_PICTURE.path, publicUrl)),
    'og:image:width': SHARED_PICTURE.width,
    'og:image:height': SHARED_PICTURE.height,
    'og:image:alt': escapeHtml(`${brand.name}: washing on the line`),
    'og:locale': `${language}_IN`,
  };
  return [
    // Only a whole address is one. A program that was not told its own names none: search engines take a path for a mistake.
    publicUrl ? `<link rel="canonical" href="${escapeHtml(address)}">` : '',
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${value}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    address === absolute('/', publicUrl) ? businessOf(brand, publicUrl) : '',
  ].join('');
}

/** Data for machines, never run: the policy has no word about it. */
function businessOf(brand: Brand, publicUrl: string | undefined): string {
  const business = {
    '@context': 'https://schema.org',
    '@type': 'DryCleaningOrLaundry',
    name: brand.name,
    url: absolute('/', publicUrl),
    image: absolute(SHARED_PICTURE.path, publicUrl),
    email: brand.email,
    telephone: brand.mobile,
    address: {
      '@type': 'PostalAddress',
      streetAddress: brand.address,
      addressLocality: 'Gurugram',
      addressRegion: 'Haryana',
      postalCode: '122052',
      addressCountry: 'IN',
    },
    areaServed: ['Manesar', 'Vatika India Next'],
    currenciesAccepted: 'INR',
    sameAs: [brand.social.network, brand.social.photos],
  };
  return `<script type="application/ld+json">${JSON.stringify(business).replaceAll('<', '\\u003c')}</script>`;
}

export function absolute(path: string, publicUrl: string | undefined): string {
  if (!publicUrl) return path;
  // Not `new URL(path, base)`: what follows two slashes would be taken for a host.
  const url = new URL(publicUrl);
  url.pathname = path;
  return url.href;
}
