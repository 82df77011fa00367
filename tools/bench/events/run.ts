/**
 * The events plugin: polls and imports, on both stores. `npm run events` in tools/bench, with the names of
 * the parts that are wanted (all by default). MONGODB_URI names a replica set for that store.
 */
import { machine } from '../table.js';
import { measureImport } from './import.js';
import { measurePolls } from './polls.js';
import { stores } from '../stores.js';

const PARTS: Readonly<Record<string, (all: ReturnType<typeof stores>) => Promise<void>>> = {
  polls: measurePolls,
  import: measureImport,
};
const wanted = process.argv.slice(2);
console.log(machine());
for (const [name, measure] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(name)) await measure(stores());
