/**
 * Records problems of a page: console output, page errors, violations of the content security
 * policy, failed requests, responses with status 400 or above, and errors in the program's log.
 * Each is one line. A test fails on a problem that it does not allow with `expectProblem`.
 */
import { expect, type BrowserContext } from '@playwright/test';

export class PageProblems {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];

  /** Allows lines that match the pattern. The test fails if none occurs. */
  readonly expect = (pattern: RegExp) => void this.#expected.push(pattern);

  async watch(context: BrowserContext) {
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`);
      });
    });
    context.on('console', (message) => {
      // Chromium also logs failed requests and responses, which are recorded below with more
      // detail.
      if (message.text().startsWith('Failed to load resource')) return;
      // A message of Playwright, caused by playwright.config.ts.
      if (message.text() === 'Service Worker registration blocked by Playwright') return;
      this.#seen.push(`console.${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#seen.push(`page error: ${error.error().stack ?? error.error().message}`));
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // A navigation aborts open requests.
      if (reason !== 'net::ERR_ABORTED') this.#seen.push(`request failed: ${request.method()} ${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#seen.push(`response ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  check(programLog: string[]) {
    const seen = [...this.#seen, ...programLog.map((line) => `program log: ${line.trim()}`)];
    const unexpected = seen.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
    const missing = this.#expected.filter((pattern) => !seen.some((line) => pattern.test(line)));
    expect(unexpected, 'unexpected problems').toEqual([]);
    expect(missing.map(String), 'expected problems that did not occur').toEqual([]);
  }
}
