import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // Every route is known to the browser from the start: no request stands between a tap and its page.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
