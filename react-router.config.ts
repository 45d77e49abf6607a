import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The browser gets all routes with the first document, so that a tap needs no request for routes.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
