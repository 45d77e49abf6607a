/** After a full green run: every specified text was seen by some spec, and no screen stays on the list of unfinished ones without need. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { SEEN, seenKey, specifiedTexts, unfinishedScreens } from './specified-texts.ts';

export default class SpecifiedTextsReporter implements Reporter {
  readonly #seen = new Set<string>();
  #isFullRun = false;

  onBegin(config: FullConfig, suite: Suite) {
    const run = new Set(suite.allTests().map((test) => path.basename(test.location.file)));
    const all = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.spec.ts'));
    // A part of the specs cannot have seen everything. The filters of the command line are nowhere else to be found.
    this.#isFullRun = all.every((name) => run.has(name)) && String(config.grep) === '/.*/';
  }

  onTestEnd(test: TestCase, result: TestResult) {
    for (const { type, description } of [...test.annotations, ...result.annotations]) {
      if (type === SEEN && description) this.#seen.add(description);
    }
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    if (!this.#isFullRun || result.status !== 'passed') return undefined;
    const faults = Object.entries(specifiedTexts).flatMap(([screen, states]) => this.#faultsOf(screen, states));
    for (const fault of faults) console.error(fault);
    return faults.length > 0 ? { status: 'failed' } : undefined;
  }

  #faultsOf(screen: string, states: Record<string, readonly string[]>): string[] {
    const missing = Object.entries(states).flatMap(([state, texts]) =>
      texts
        .filter((text) => !this.#seen.has(seenKey(screen, text)))
        .map((text) => `Specified but never seen: ${screen}, ${state}: ${text}`),
    );
    if (!(unfinishedScreens as readonly string[]).includes(screen)) return missing;
    return missing.length > 0 ? [] : [`Every text of "${screen}" was seen: take it off unfinishedScreens in test/e2e/specified-texts.ts`];
  }
}
