// `npm test`: from a bare clone to one verdict. Stops after the first group with a failure, because
// what follows would only be noise.
import { StringDecoder } from 'node:string_decoder';
import { chromium } from './chromium.mjs';
import { install, pinnedNode } from './prepare.mjs';
import { npm, root, run } from './run.mjs';

/**
 * The steps of a group run at the same time. Types generates the route types that Lint reads. Unit
 * and browser tests often wait for deadlines: together they leave no core idle.
 */
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
  [
    { name: 'Unit, API and race tests', script: 'test:unit', prefix: 'unit    | ' },
    { name: 'Browser tests', script: 'test:browser', prefix: 'browser | ' },
  ],
];

await install();
const env = { CHROMIUM_PATH: await chromium(pinnedNode()) };
const started = performance.now();

for (const steps of groups) {
  console.log(`\n=== ${steps.map(({ name }) => name).join(', ')} ===`);
  const results = await Promise.all(steps.map(runStep));
  if (results.includes(false)) {
    console.error('\nThe steps after this one were not run.');
    process.exit(1);
  }
}
console.log(`\n✓ All ${groups.flat().length} checks are green (${secondsSince(started)} s).`);

/**
 * Returns whether the step passed. A step with a prefix prints each line as it comes, and another
 * prints its output in one piece at its end.
 */
async function runStep({ name, script, file, prefix }) {
  const stepStarted = performance.now();
  const output = [];
  const lines = prefix && linesWith(prefix);
  const onOutput = lines ? lines.add : (chunk) => void output.push(chunk);
  const code = script
    ? await npm(['run', '--silent', script], { env, onOutput })
    : await run(process.execPath, [`${root}/${file}`], { env, onOutput });
  lines?.end();
  const verdict = code === 0 ? `✓ ${name}` : `✗ ${name} is red: ${script ? `npm run ${script}` : `node ${file}`}, exit ${code}`;
  process.stdout.write(Buffer.concat([...output, Buffer.from(`${verdict} (${secondsSince(stepStarted)} s)\n`)]));
  return code === 0;
}

/** Prints whole lines with a prefix; `end` prints the rest. */
function linesWith(prefix) {
  const decoder = new StringDecoder();
  let rest = '';
  const print = (line) => process.stdout.write(`${prefix}${line}\n`);
  return {
    add: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop();
      lines.forEach(print);
    },
    end: () => {
      if (rest) print(rest);
    },
  };
}

function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}
