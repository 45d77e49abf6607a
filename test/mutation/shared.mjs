/** Options of both mutation runs. Decision 0030. */
export const shared = (name) => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `build/mutation/${name}.json` },
  tempDirName: 'build/mutation/sandboxes',
  ignorePatterns: ['build', '.data', 'docs/pictures', 'bench'],
  // Stryker rewrites tsconfig.json with TypeScript's JavaScript API, which TypeScript 7 does not
  // have. No test reads the file, so Stryker is pointed at one that does not exist.
  tsconfigFile: 'none.json',
});
