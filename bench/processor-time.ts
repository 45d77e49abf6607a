/**
 * What a process has used of the processor. It says where the time goes, and holds on a machine
 * that others use too. Linux only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

interface Used {
  parent: number;
  own: number;
  /** Of children that have ended. */
  children: number;
}

function used(pid: string | number): Used | undefined {
  try {
    // The name, in brackets, may hold anything; numbers follow it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const seconds = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / TICKS_A_SECOND;
    return { parent, own: seconds(11), children: seconds(13) };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

/** Seconds of a process alone. */
export const processorSeconds = (pid: number): number => used(pid)?.own ?? 0;

/** Seconds of this process and of those that it started and that have ended. */
export function ownSeconds(): number {
  const { own = 0, children = 0 } = used('self') ?? {};
  return own + children;
}

/** Seconds of a process, of its children, and of those that it had. */
export function familySeconds(pid: number): number {
  if (!existsSync('/proc')) return 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => used(name))
    .filter((child) => child?.parent === pid);
  const { own = 0, children: ended = 0 } = used(pid) ?? {};
  return own + ended + children.reduce((sum, child) => sum + (child?.own ?? 0), 0);
}

export const parentOf = (pid: number): number => used(pid)?.parent ?? 0;
