// `npm test`: from a bare clone to one verdict. Stops at the first red, because what follows it would only be noise.
import { chromium } from './chromium.mjs';
import { build, install, pinnedNode } from './prepare.mjs';
import { npm } from './run.mjs';

const steps = [
  { name: 'Format', script: 'format:check' },
  { name: 'Lint', script: 'lint' },
  { name: 'Types', script: 'types' },
  { name: 'Dead code', script: 'dead-code' },
  { name: 'Build', make: build },
  { name: 'Unit, API and race tests', script: 'test:unit' },
  { name: 'Browser tests', script: 'test:browser' },
];

await install();
const env = { CHROMIUM_PATH: await chromium(pinnedNode()) };
const started = performance.now();

for (const { name, script, make } of steps) {
  console.log(`\n=== ${name} ===`);
  const stepStarted = performance.now();
  const code = make ? await make() : await npm(['run', '--silent', script], { env });
  const seconds = ((performance.now() - stepStarted) / 1000).toFixed(1);
  if (code) {
    console.error(`\n✗ ${name} is red (npm run ${script}, exit ${code}). The steps after it were not run.`);
    process.exit(1);
  }
  console.log(`✓ ${name} (${seconds} s)`);
}
console.log(`\n✓ All ${steps.length} checks are green (${((performance.now() - started) / 1000).toFixed(0)} s).`);
