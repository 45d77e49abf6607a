/**
 * Files about the whole site: web app manifest, robots.txt, sitemap, app links and the offline
 * page.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findLanguage } from '../../i18n/catalogues.server.ts';
import type { Language } from '../../i18n/language.tsx';
import { msg } from '../../i18n/messages.ts';
import offlineScript from '../../domains/orders/pages/offline/offline-page.ts?inline-script';
import { escapeHtml } from '../../lib/escape-html.server.ts';
import { links } from '../../shared/links.ts';
import { telephoneUrl, type Brand } from '../../shared/brand.ts';
import type { AppSettings } from '../../service-settings.server.ts';
import { preferredLanguage, languageHeaders } from '../../i18n/preferred-language.server.ts';
import css from './offline-page.css?raw';
import { absoluteUrl } from './absolute-url.server.ts';

/** Pages of the sitemap. All others have the robots metadata noindex. */
const INDEXED = [
  links.home(),
  links.reviews(),
  links.refer(),
  links.contact(),
  links.promise(),
  links.privacy(),
  links.login(),
  links.signUp(),
];

interface SiteFileOptions {
  publicUrl: string | undefined;
  brand: Brand;
  apps: AppSettings;
}

/** Registers the routes of these files. */
export function registerSiteFiles(app: FastifyInstance, { publicUrl, brand, apps }: SiteFileOptions) {
  const send = (reply: FastifyReply, type: string, body: string, headers: Record<string, string> = {}) =>
    reply
      .headers({ 'cache-control': 'public, max-age=3600', ...headers })
      .type(type)
      .send(body);

  app.get('/manifest.webmanifest', async (_request, reply) => send(reply, 'application/manifest+json', JSON.stringify(manifest(brand))));

  // Never with the host of the request, which the client chooses: a shared cache would store it.
  app.get('/robots.txt', async (_request, reply) => {
    const sitemap = publicUrl ? `\nSitemap: ${absoluteUrl('/sitemap.xml', publicUrl)}\n` : '';
    return send(reply, 'text/plain; charset=utf-8', `User-agent: *\nAllow: /\n${sitemap}`);
  });

  app.get('/sitemap.xml', async (_request, reply) => {
    const entries = INDEXED.map((path) => `<url><loc>${escapeHtml(absoluteUrl(path, publicUrl))}</loc></url>`).join('\n');
    const open = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
    return send(reply, 'application/xml; charset=utf-8', `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${entries}\n</urlset>\n`);
  });

  // Without an app, these addresses are unknown pages: 404.
  for (const [name, content] of [
    ['assetlinks.json', assetLinks(apps)],
    ['apple-app-site-association', appleAssociation(apps)],
  ] as const) {
    if (content) app.get(`/.well-known/${name}`, async (_request, reply) => send(reply, 'application/json', JSON.stringify(content)));
  }

  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
  const sources = `style-src 'sha256-${sha256(css)}'; script-src 'sha256-${sha256(offlineScript)}'`;
  app.get('/offline', async (request, reply) => {
    const language = preferredLanguage(request.headers.cookie);
    return send(reply, 'text/html; charset=utf-8', offlinePage(brand, findLanguage(language)), {
      'content-security-policy': `default-src 'none'; ${sources}; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'x-robots-tag': 'noindex',
      ...languageHeaders(language),
    });
  });
}

/** Digital Asset Links: Android opens links of the site in the app. Undefined without an app. */
const assetLinks = ({ android }: AppSettings) =>
  android && [
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: { namespace: 'android_app', package_name: android.packageName, sha256_cert_fingerprints: android.fingerprints },
    },
  ];

/**
 * Universal links of iOS. The app shows the webview screens itself, and the store page installs it.
 * Undefined without an app.
 */
const appleAssociation = ({ iosAppId }: AppSettings) =>
  iosAppId && {
    applinks: {
      details: [
        {
          appIDs: [iosAppId],
          components: [{ '/': '/webview/*', exclude: true }, { '/': links.downloadApp(), exclude: true }, { '/': '/*' }],
        },
      ],
    },
  };

const manifest = (brand: Brand) => ({
  id: '/',
  name: `${brand.name}: laundry pickup and delivery`,
  short_name: brand.name,
  description: 'Washing and ironing, collected from your door and back within a day.',
  start_url: links.home(),
  scope: '/',
  display: 'standalone',
  lang: 'en-IN',
  background_color: '#faf7f2',
  theme_color: '#2438d6',
  categories: ['lifestyle', 'shopping'],
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Your orders', url: links.orders() },
    { name: 'All reviews', url: links.reviews() },
  ],
});

/** The script formats the values. */
const SEEN_TEXT = msg('Seen {time}, {age}');

/**
 * Returns the HTML of the offline page. The service worker caches it (public/sw.js), so it is the
 * same for every customer. Its script shows the orders that this browser has stored. It needs no
 * other file except the icon.
 */
function offlinePage(brand: Brand, { code, t }: Language): string {
  const name = escapeHtml(brand.name);
  return `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(t('No connection'))} · ${name}</title>
<style>${css}</style>
</head>
<body>
<main>
<img src="/favicon.svg" alt="" width="72" height="72">
<h1>${escapeHtml(t('You are offline'))}</h1>
<p>${t('{brand} needs a connection. What you have chosen is still here: try again once you are back online.', { brand: name })}</p>
<form method="get"><button type="submit">${escapeHtml(t('Try again'))}</button></form>
<section id="seen-orders" data-seen="${escapeHtml(t(SEEN_TEXT))}" data-just-now="${escapeHtml(t('just now'))}" hidden>
<h2>${escapeHtml(t('These are the orders that you saw last.'))}</h2>
</section>
<p><a href="${telephoneUrl(brand.mobile)}">${escapeHtml(t('Questions? Call {mobile}', { mobile: brand.mobile }))}</a></p>
</main>
<script>${offlineScript}</script>
</body>
</html>
`;
}
