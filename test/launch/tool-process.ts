/**
 * A process that runs commands of tools/ one after the other, each with its own arguments,
 * settings and output. See run-tool.ts.
 */
import type { Command, CommandResult } from './run-tool.ts';

let runs = 0;

/** Returns what is written from now on. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += chunk.toString();
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return () => text.trim();
}

async function runTool({ env, script, args }: Command): Promise<CommandResult> {
  process.argv.splice(2, Infinity, ...args);
  process.env = env;
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  // A module with another query is evaluated again. The modules that it imports are not.
  await import(`../../tools/${script}.ts?run=${(runs += 1)}`);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, out: out(), err: err() };
}

process.on('message', (command: Command) => void runTool(command).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit());
