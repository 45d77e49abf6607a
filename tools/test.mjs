// `npm test`: from a bare clone to one verdict. Stops at the first failure, because what follows
// would only be noise.
import { chromium } from './chromium.mjs';
import { install, pinnedNode } from './prepare.mjs';
import { npm, root, run } from './run.mjs';

/** The steps of a group run at the same time. Types generates the route types that Lint reads. */
const groups = [
  [
    { name: 'Format', script: 'format:check' },
    { name: 'Types', script: 'types' },
    { name: 'Dead code', script: 'dead-code' },
  ],
  [
    { name: 'Lint', script: 'lint' },
    { name: 'Build', file: 'tools/ensure-built.mjs' },
  ],
  [{ name: 'Unit, API and race tests', script: 'test:unit' }],
  [{ name: 'Browser tests', script: 'test:browser' }],
];

await install();
const env = { CHROMIUM_PATH: await chromium(pinnedNode()) };
const started = performance.now();

for (const steps of groups) {
  console.log(`\n=== ${steps.map(({ name }) => name).join(', ')} ===`);
  const results = await Promise.all(steps.map((step) => runStep(step, steps.length === 1)));
  if (results.includes(false)) {
    console.error('\nThe steps after this one were not run.');
    process.exit(1);
  }
}
console.log(`\n✓ All ${groups.flat().length} checks are green (${secondsSince(started)} s).`);

/**
 * Returns whether the step passed. Steps that run together print their output in one piece at their
 * end.
 */
async function runStep({ name, script, file }, alone) {
  const stepStarted = performance.now();
  const output = [];
  const options = alone ? { env } : { env, onOutput: (chunk) => void output.push(chunk) };
  const code = script ? await npm(['run', '--silent', script], options) : await run(process.execPath, [`${root}/${file}`], options);
  const verdict = code === 0 ? `✓ ${name}` : `✗ ${name} is red: ${script ? `npm run ${script}` : `node ${file}`}, exit ${code}`;
  process.stdout.write(Buffer.concat([...output, Buffer.from(`${verdict} (${secondsSince(stepStarted)} s)\n`)]));
  return code === 0;
}

function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}
