/**
 * Fails a full run if no spec has seen a specified text, or if a finished screen is listed as
 * unfinished.
 */
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
    // A partial run cannot see every text. The reporter API exposes the command-line filters only
    // through these.
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
    return missing.length > 0
      ? []
      : [`Every text of "${screen}" was seen: remove it from unfinishedScreens in test/e2e/specified-texts.ts`];
  }
}
