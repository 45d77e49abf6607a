import type { Brand } from '../../browser/brand.ts';
import { SAMPLE_CUSTOMER } from './demo.server.ts';
import type { Settings } from '../../settings.server.ts';

/** What the terminal shows once the program answers. */
export function welcome(url: string, settings: Settings, brand: Brand): string {
  const lines = [`${brand.name} is ready: ${url}`];
  if (settings.sms.provider === 'outbox') lines.push(`Messages (codes) are shown at ${url}/outbox`);
  if (settings.mode === 'demo') lines.push(`Sample customer: mobile ${SAMPLE_CUSTOMER.mobile}, password '${SAMPLE_CUSTOMER.password}'`);
  return lines.join('\n');
}
