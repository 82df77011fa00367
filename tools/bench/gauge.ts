/** Preloaded into a measured process: answers each message with the processor time and the memory used so far. */
import { readFileSync } from 'node:fs';

export interface Gauge {
  /** Microseconds. */
  readonly cpu: number;
  /** Bytes of its own: on Linux without the files that it maps, which the system takes back as it likes. */
  readonly memory: number;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const gauge: Gauge = { cpu: user + system, memory: memory() };
  // Whoever asked may have gone meanwhile.
  process.send?.(gauge, undefined, undefined, () => undefined);
});
// The process ends when its work is done, as it does without a parent.
process.channel?.unref();

function memory(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}
