/** Loaded into the server by the tests: on SIGUSR2 it collects garbage and writes how much memory is in use. */
import { renameSync, writeFileSync } from 'node:fs';
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
      writeFileSync(`${file}.part`, JSON.stringify({ heap, resident }));
      renameSync(`${file}.part`, file);
    });
  });
