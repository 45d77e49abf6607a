/** Parents and children of processes, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns undefined for a process that has ended. */
export function parentOf(pid: number): number | undefined {
  try {
    // The name, in brackets, can contain any character. The state and the parent follow it.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(parent);
  } catch {
    return undefined;
  }
}

export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
