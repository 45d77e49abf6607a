/** One program per data folder, seen from outside (reliability bar, O5). How the lock works is proved in test/launch. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { waitForExit, initialisedFolder, isAlive, postmasterPid } from '../launch/processes.ts';
import { ChildProgram, freePort, statusOf } from '../support/program-process.ts';
import { size } from '../support/size.ts';

/** On a busy machine the small run proves what happens, the full one how soon. */
const REFUSED_WITHIN_MS = size({ small: 20_000, full: 2_000 + 500 });

test(
  'O5: a second program is refused and told who holds the folder; after kill -9 the next one takes over, stale files and all',
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
      const asked = performance.now();
      const second = await start();
      expect(await second.ended).toBe(1);
      expect(performance.now() - asked).toBeLessThan(REFUSED_WITHIN_MS);
      expect(second.output).toContain(`dhulai pid ${first.pid}`);
      expect(await statusOf(`${first.url}/readyz`)).toBe(200);

      await first.kill();
      const next = await (await start()).ready();
      expect(await statusOf(`${next.url}/readyz`)).toBe(200);

      // Everything at once, as after a power cut: only files are left, and they name processes that are waitForExit.
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
