/**
 * Processor time of processes. Unlike elapsed time, it is comparable on a machine that runs other
 * programs. Linux only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/process-tree.ts';

const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  /** Seconds of the process itself. */
  self: number;
  /** Seconds of its ended children. */
  endedChildren: number;
}

function readTimes(pid: string | number): ProcessTimes | undefined {
  try {
    // The name, in brackets, can contain any character. Numbers follow it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const seconds = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / TICKS_PER_SECOND;
    return { self: seconds(11), endedChildren: seconds(13) };
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Returns the processor seconds of a process without its children. */
export const processorSeconds = (pid: number): number => readTimes(pid)?.self ?? 0;

/** Returns the processor seconds of this process and of its ended children. */
export function ownSeconds(): number {
  const { self = 0, endedChildren = 0 } = readTimes('self') ?? {};
  return self + endedChildren;
}

/** Returns the processor seconds of a process and of its children, ended ones included. */
export function processTreeSeconds(pid: number): number {
  if (!existsSync('/proc')) return 0;
  const { self = 0, endedChildren = 0 } = readTimes(pid) ?? {};
  return childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), self + endedChildren);
}
