/** One program per data folder (docs/security.md, O5). test/launch tests the lock itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { waitForExit, initialisedFolder, isAlive, postmasterPid } from '../launch/processes.ts';
import { ChildProgram, freePort, statusOf } from '../support/program-process.ts';
import { size } from '../support/size.ts';

/** The small run allows for a busy machine. */
const REJECTION_TIMEOUT_MS = size({ small: 20_000, full: 2_000 + 500 });

test(
  'O5: rejects a second program with the pid of the first; after SIGKILL the next one starts despite stale files',
  { timeout: 120_000 },
  async () => {
    const dataDir = await initialisedFolder();
    const start = async () => {
      const program = new ChildProgram(await freePort(), { DATA_DIR: dataDir });
      onTestFinished(() => program.kill());
      return program;
    };
    onTestFinished(async () => {
      const pid = postmasterPid(dataDir);
      if (!pid) return;
      process.kill(pid, 'SIGQUIT');
      await waitForExit(pid);
    });
    for (let round = 0; round < size({ small: 1, full: 5 }); round += 1) {
      const first = await (await start()).ready();
      const startedAt = performance.now();
      const second = await start();
      expect(await second.ended).toBe(1);
      expect(performance.now() - startedAt).toBeLessThan(REJECTION_TIMEOUT_MS);
      expect(second.output).toContain(`dhulai pid ${first.pid}`);
      expect(await statusOf(`${first.url}/readyz`)).toBe(200);

      await first.kill();
      const next = await (await start()).ready();
      expect(await statusOf(`${next.url}/readyz`)).toBe(200);

      // Like a power failure: only files remain, which name dead processes.
      const postmaster = postmasterPid(dataDir) ?? -1;
      next.signal('SIGKILL');
      process.kill(postmaster, 'SIGKILL');
      await waitForExit(postmaster);
      expect(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).toContain(String(postmaster));
      const last = await (await start()).ready();
      expect(await statusOf(`${last.url}/readyz`)).toBe(200);
      expect(isAlive(postmasterPid(dataDir) ?? -1)).toBe(true);
      await last.kill();
    }
  },
);
