import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, whatever the working directory is. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end and answers its exit code. It gets a process group of its own, so that a
 * signal reaches everything below it: npm would pass it on to a shell alone, and the real work would live on.
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'],
      detached: true,
    });
    let interrupted;
    const forward = (signal) => {
      interrupted = signal;
      killGroup(child.pid, signal);
    };
    for (const signal of endingSignals) process.on(signal, forward);
    const end = (code) => {
      for (const signal of endingSignals) process.off(signal, forward);
      if (interrupted) process.exit(128 + constants.signals[interrupted]);
      resolve(code);
    };
    child.once('error', () => end(127));
    child.once('exit', (code) => end(code ?? 1));
  });
}

/** The npm that started us, run by the Node that runs us; `npm` from PATH when we were started directly. */
export function npm(args, options) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? run(process.execPath, [script, ...args], options) : run('npm', args, options);
}

/** One line a person can act on, and the end. */
export function giveUp(line) {
  console.error(line);
  process.exit(1);
}

function killGroup(pid, signal) {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // It has ended by itself in this very moment.
  }
}
