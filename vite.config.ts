import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { inlineScript } from './tools/inline-script.ts';

/**
 * What every page loads comes in three files instead of forty small ones: each file costs its own compression and a line in the list of routes. React and the
 * router stay apart, because one file of both is one long task on a phone. What home does without is no part of the shell: calls, forms (they bring the
 * validation), log-in gates, and the parts of the other pages.
 */
const SHARED =
  /src[\\/](ui[\\/](?!.*(?:-field\.|field-frame|eye|empty-state|skeleton|normalized|link-styles|page-heading|card\.))|lib[\\/](?!mobile|clock)|pre-hydration[\\/]|site[\\/](?!loading-failed|require-login)|browser[\\/](?!client|form|use-|server-clock|redirects|webview|router-context))/;

/** What the first page needs besides: apart, each of these is a file of its own. */
const FIRST_PAGE = [
  '(root|site-route|site-chrome)\\.tsx?',
  'site/(error-screen|script-failed|site-layout|map-link)\\.tsx?',
  'pre-hydration/(handshake|document-parts)\\.ts',
  'browser/(lazy-component|focus|embedding)\\.ts',
  'ui/(feedback/(badge|notice|form-error)|fields/segmented-choice|art/.*)\\.tsx',
  'lib/dates\\.ts',
  'domains/error-reports/pages/report-later\\.ts',
  'domains/analytics/pages/(track|consent|consent-line)\\.tsx?',
  'domains/reviews/pages/review-card\\.tsx',
  'domains/home/pages/area-choice\\.tsx',
  'ui/(layout/(stars|star-shape)|actions/link-styles)\\.tsx?',
  'domains/orders/pages/(draft/(draft|cart-state|tab-memory)|placing/unplaced|choosing/cart-entry)\\.ts',
];

const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
  { name: 'router', test: /node_modules[\\/]react-router[\\/]/, priority: 3 },
  { name: 'start', test: new RegExp(`src[\\\\/](${FIRST_PAGE.join('|')})(\\?|$)`), priority: 2 },
  { name: 'shell', test: SHARED, minShareCount: 8, priority: 1 },
];

export default defineConfig({
  plugins: [inlineScript(), tailwindcss(), reactRouter()],
  build: { target: 'es2022' },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
    // The server build is the whole program: Fastify shell, domains and pages in one bundle.
    ssr: { build: { rolldownOptions: { input: './src/main.ts' } } },
  },
  // Without these the first page in development fails with 504 Outdated Optimize Dep.
  optimizeDeps: {
    include: ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom/client', 'react-router', 'react-router/dom', 'zod/mini'],
  },
});
