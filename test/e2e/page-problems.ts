/**
 * What no page may do without the test saying so beforehand: console output, page errors, violations of the content security policy, failed requests,
 * answers of 400 and above, errors in the program's log. Each is one line of text; a test that provokes one says which with `expectProblem`.
 */
import { expect, type BrowserContext } from '@playwright/test';

export class PageProblems {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];

  /** From now on a line like this is expected; the test fails if none comes. */
  readonly expect = (pattern: RegExp) => void this.#expected.push(pattern);

  async watch(context: BrowserContext) {
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`);
      });
    });
    context.on('console', (message) => {
      // Chromium repeats failed requests and answers here; they are heard of below, with more detail.
      if (message.text().startsWith('Failed to load resource')) return;
      // Playwright's own word on playwright.config.ts.
      if (message.text() === 'Service Worker registration blocked by Playwright') return;
      this.#seen.push(`console.${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#seen.push(`page error: ${error.error().stack ?? error.error().message}`));
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // A page that is left takes its open requests with it.
      if (reason !== 'net::ERR_ABORTED') this.#seen.push(`request failed: ${request.method()} ${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#seen.push(`response ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  check(programLog: string[]) {
    const seen = [...this.#seen, ...programLog.map((line) => `program log: ${line.trim()}`)];
    const unexpected = seen.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
    const missed = this.#expected.filter((pattern) => !seen.some((line) => pattern.test(line)));
    expect(unexpected, 'trouble that the test did not expect').toEqual([]);
    expect(missed.map(String), 'trouble that the test expected but that never came').toEqual([]);
  }
}
