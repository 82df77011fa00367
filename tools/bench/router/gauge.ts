/** Runs a program's script in this process and tells the parent, whenever it asks, what the process has taken so far. */
import { pathToFileURL } from 'node:url';
import { takenSoFar } from './taken.js';

const [node = '', , script = '', ...args] = process.argv;
process.on('message', () => process.send?.(takenSoFar()));
process.once('disconnect', () => process.exit());
// The script finds its own arguments where it looks for them.
process.argv = [node, script, ...args];
await import(pathToFileURL(script).href);
