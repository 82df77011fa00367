/** What processes have taken of the machine, from Linux's `/proc`; elsewhere NaN, which tables show as `-`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Microseconds of a clock tick, which is 10 ms on every Linux that Node runs on. */
const TICK = 10_000;
const hasProc = existsSync('/proc/self/stat');

/** Processor time so far of processes with their children, those that have ended included; microseconds. */
export function processorTime(pids: readonly number[]): number {
  if (!hasProc) return NaN;
  return pids.reduce((sum, pid) => {
    const { own, ended } = timesOf(pid);
    return sum + own + ended + processorTime(childrenOf(pid));
  }, 0);
}

/** MiB of a process of its own: without the files that it maps, which the system takes back as it likes. */
export function memory(pid: number): number {
  if (!hasProc) return NaN;
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

/** Fields 14 to 17 of proc(5)'s stat: user and system time, and the same of children that were waited for. */
function timesOf(pid: number): { own: number; ended: number; parent: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const sum = (from: number): number => (fields[from]! + fields[from + 1]!) * TICK;
    return { own: sum(11), ended: sum(13), parent: fields[1]! };
  } catch {
    // It has ended in between.
    return { own: 0, ended: 0, parent: 0 };
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => timesOf(other).parent === pid);
}
