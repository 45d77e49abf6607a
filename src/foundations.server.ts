/** What the whole program stands on, handed to whatever puts a part of it together. */
import type { Db } from './db/database.server.ts';
import type { SiteConfig } from './browser/site-config.ts';
import type { Clock } from './lib/clock.ts';
import type { ServiceTimeouts } from './lib/http-client.server.ts';
import type { Settings } from './settings.server.ts';

export interface Foundations {
  db: Db;
  clock: Clock;
  settings: Settings;
  site: SiteConfig;
  /** Signs and hashes what must not be guessed; at least 32 bytes. */
  secret: string;
  /** How long pages wait for services outside. */
  timeouts: ServiceTimeouts;
  /** Writes a line of the program's log. */
  log(line: Record<string, unknown>): void;
  /** Tells of a fault in work that no request waits for. */
  onBackgroundFailure(error: unknown, what: string): void;
}
