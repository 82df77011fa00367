/** Loaded into the server by the tests: on SIGUSR2 it collects garbage and writes how much memory is in use. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const file = process.env['HOSTILE_MEMORY'];
// Without a file: a command of the server, in a process of its own.
if (file !== undefined)
  process.on('SIGUSR2', () => {
    collect();
    // What the first one left to finalizers goes with the second.
    setImmediate(() => {
      collect();
      const { heapUsed: heap, rss: resident } = process.memoryUsage();
      writeFileSync(`${file}.part`, JSON.stringify({ heap, resident: resident - mapped() }));
      renameSync(`${file}.part`, file);
    });
  });

/** Bytes of files that are mapped, such as that of the embedded store: the system takes these pages back as it likes. */
function mapped(): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync('/proc/self/status', 'utf8');
  let kilobytes = 0;
  for (const [, figure] of status.matchAll(/^Rss(?:File|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(figure);
  return kilobytes * 1024;
}
