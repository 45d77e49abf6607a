import type { Brand } from '../../shared/brand.ts';
import { absoluteUrl } from './absolute-url.server.ts';

/** Written by tools/draw-icons.ts. */
const SHARED_IMAGE = { path: '/icons/shared.png', width: 1200, height: 630 };

interface SharingMetadataProps {
  /** The page's own title and description. */
  meta: readonly ({ title: string } | { name: string; content: string })[];
  path: string;
  languageCode: string;
  publicUrl: string | undefined;
  brand: Brand;
}

/**
 * The canonical address, Open Graph and JSON-LD, for search engines and chats. Browsers need none
 * of it, so only the server renders it.
 */
export function SharingMetadata({ meta, path, languageCode, publicUrl, brand }: SharingMetadataProps) {
  // `/home` and `/` are the same page.
  const address = absoluteUrl(path === '/home' ? '/' : path.replace(/(?<=.)\/$/, ''), publicUrl);
  const properties = {
    'og:type': 'website',
    'og:site_name': brand.name,
    'og:title': meta.flatMap((entry) => ('title' in entry ? [entry.title] : []))[0] ?? '',
    'og:description': meta.flatMap((entry) => ('name' in entry && entry.name === 'description' ? [entry.content] : []))[0] ?? '',
    'og:url': address,
    'og:image': absoluteUrl(SHARED_IMAGE.path, publicUrl),
    'og:image:width': String(SHARED_IMAGE.width),
    'og:image:height': String(SHARED_IMAGE.height),
    'og:image:alt': `${brand.name}: washing on the line`,
    'og:locale': `${languageCode}_IN`,
  };
  return (
    <>
      {/* Search engines reject a path as a canonical address. */}
      {publicUrl && <link rel="canonical" href={address} />}
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
      {address === absoluteUrl('/', publicUrl) && <BusinessData brand={brand} publicUrl={publicUrl} />}
    </>
  );
}

/** A data block, which no browser executes: the content security policy does not apply. */
function BusinessData({ brand, publicUrl }: { brand: Brand; publicUrl: string | undefined }) {
  const business = {
    '@context': 'https://schema.org',
    '@type': 'DryCleaningOrLaundry',
    name: brand.name,
    url: absoluteUrl('/', publicUrl),
    image: absoluteUrl(SHARED_IMAGE.path, publicUrl),
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
    sameAs: [brand.social.network, brand.social.photos].filter((link) => link !== undefined),
  };
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: JSON.stringify(business).replaceAll('<', '\\u003c') }} />;
}
