import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { inlineScript } from './tools/inline-script.ts';

/**
 * Fewer, larger files: Rolldown's default split loads 38 files for home, and each costs a request
 * and its own compression. A group contains the matching modules and everything they import. React
 * and the router are files of their own, because one file would be one long task on a phone.
 */
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
  { name: 'router', test: /node_modules[\\/]react-router[\\/]/, priority: 3 },
  { name: 'start', test: /src[\\/](root|site-route|domains[\\/]home[\\/]pages[\\/]home)\.tsx/, priority: 2 },
  { name: 'shared', test: /src[\\/]/, minShareCount: 6, priority: 1 },
  // Each name of a file costs home about 15 bytes. The pages of an order need these together.
  {
    name: 'orders',
    test: /orders[\\/]pages[\\/]following[\\/](fetched-order|unknown-order|seen-|use-seen|use-refetch|require-customer|back-to-order|order-card)/,
  },
  // What home loads if it has no services or reviews.
  { name: 'failed', test: /pages[\\/](programs-failed|empty-catalogue|reviews-failed)/ },
  // The two steps of a proof of a number: the second follows the first. And the consent above them.
  { name: 'codes', test: /(verification[\\/]pages|consents)[\\/]/ },
  { name: 'sign-in', test: /sign-in[\\/]pages[\\/](log-in|login-link|signed-in-notice)\.tsx?/ },
  { name: 'pictures', test: /ui[\\/]art[\\/]screens[\\/]/ },
  // Loaded before an order is placed, so that a failure can be shown on a hanging connection.
  { name: 'draft', test: /orders[\\/]pages[\\/](draft[\\/](refresh-draft|connection-wait|load-route)|placing[\\/]unplaced-notice)/ },
];

/** Home loads the names of all files. A hash of 8 characters, the default, costs it 90 bytes more. */
const FILE_NAME = 'assets/[name]-[hash:7].js';

export default defineConfig(({ command }) => ({
  plugins: [inlineScript(), tailwindcss(), reactRouter()],
  build: { target: 'es2022' },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: chunks }, entryFileNames: FILE_NAME, chunkFileNames: FILE_NAME } } },
    },
    // The server build is the whole program: HTTP server, domains, pages and npm packages in one
    // bundle. One file loads faster than the files of the packages.
    ssr: {
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        // Without the development checks of React, also in a process without NODE_ENV.
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: { rolldownOptions: { input: './src/main.ts' } },
    },
  },
  // Without these, the first page in development fails with 504 Outdated Optimize Dep.
  optimizeDeps: {
    include: ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom/client', 'react-router', 'react-router/dom', 'zod/mini'],
  },
}));
