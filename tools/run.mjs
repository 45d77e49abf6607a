import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command and resolves to its exit code, or to 127 if it cannot run. Never rejects. The
 * command has its own process group, so that a signal reaches all its children; npm would pass the
 * signal to a shell only. This process then exits too, once the command has ended.
 */
export function run(command, args, { env = {}, onOutput } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', onOutput ? 'pipe' : 'inherit', onOutput ? 'pipe' : 'inherit'],
      detached: true,
    });
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
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
    child.once('close', (code) => end(code ?? 1));
  });
}

/** Runs the npm that started this process, otherwise `npm` from PATH. Resolves to its exit code. */
export function npm(args, options) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? run(process.execPath, [script, ...args], options) : run('npm', args, options);
}

/** Prints one line for the operator and exits with 1. */
export function exitWithError(line) {
  console.error(line);
  process.exit(1);
}

function killGroup(pid, signal) {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}
