/** The processor time that processes have taken, from Linux's `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds per clock tick, which is 10 ms on every Linux that Node runs on. */
const TICK = 10_000;

/** Of a process with its children, those that have ended included; microseconds. */
export function processorTime(pid: number): number {
  const { own, ended } = timesOf(pid);
  return own + ended + childrenOf(pid).reduce((sum, child) => sum + processorTime(child), 0);
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
