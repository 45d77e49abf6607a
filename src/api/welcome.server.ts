import { site } from '../web/site.ts';
import type { Settings } from './settings.server.ts';

/** What the terminal shows once the program answers. */
export function welcome(url: string, settings: Settings): string {
  const lines = [`${site().brand.name} is ready: ${url}`];
  if (settings.smsProvider === 'outbox') lines.push(`Messages (codes) are shown at ${url}/outbox`);
  return lines.join('\n');
}
