/** The one command of the benches: `npm run bench -- NAME [options]`. */
import { parseArgs } from 'node:util';
import { openBench, type Bench } from './context.js';
import { machine } from './table.js';

type Run = (bench: Bench) => Promise<void>;

const BENCHES: Readonly<
  Record<string, { readonly about: string; load(): Promise<{ readonly default: Run }> }>
> = {
  kernel: { about: 'requests and starts vs bare Fastify', load: () => import('./kernel/run.js') },
  storage: { about: 'stores vs SQLite, nedb, MongoDB', load: () => import('./storage/run.js') },
  dataquery: { about: 'the data API vs SQL by hand', load: () => import('./dataquery/run.js') },
  router: { about: 'calls and streams vs Portkey', load: () => import('./router/run.js') },
  events: { about: 'polls vs bare Fastify', load: () => import('./events/run.js') },
  speech: { about: 'mp3 vs espeak-ng and ffmpeg', load: () => import('./speech/run.js') },
  'memory:quality': { about: 'evidence that previews find', load: () => import('./memory/quality.js') },
  'memory:extraction': { about: 'facts of a model that lies', load: () => import('./memory/extraction.js') },
  'memory:vectors': { about: 'nearest vectors vs usearch', load: () => import('./memory/vectors.js') },
  'memory:start': { about: 'starts and lists of 100,000 entries', load: () => import('./memory/start.js') },
  'memory:keywords': { about: 'vs MiniSearch and FTS5', load: () => import('./memory/keywords.js') },
};
const USAGE = `Usage: npm run bench -- NAME [options]

${Object.entries(BENCHES)
  .map(([name, { about }]) => `  ${name.padEnd(16)} ${about}`)
  .join('\n')}

  --rounds N       alternating rounds that count
  --seconds S      length of one measurement of a server
  --only REGEXP    the rows whose name matches
  --documents N    how many are stored or indexed (storage, memory:vectors, memory:keywords, memory:start)
  --static DIR     a static model (memory:quality)
  --encoder DIR    where all-MiniLM-L6-v2 is (memory:quality)
  --before DIR     another built checkout to compare with (dataquery)

MONGODB_URI names a replica set: that store is measured too.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    documents: { type: 'string' },
    static: { type: 'string' },
    encoder: { type: 'string' },
    before: { type: 'string' },
  },
});
const chosen = BENCHES[positionals[0] ?? ''];
if (chosen === undefined) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const { default: run } = await chosen.load();
  const bench = await openBench({
    ...values,
    rounds: number('rounds'),
    seconds: number('seconds'),
    documents: number('documents'),
  });
  // Interrupted, it leaves no server and no data either.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void bench.close().finally(() => process.exit(1)));
  console.log(`${machine()}; medians of alternating rounds (ratios of the same round)\n`);
  try {
    await run(bench);
  } finally {
    await bench.close();
  }
}

function number(name: 'rounds' | 'seconds' | 'documents'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new Error(`--${name} takes a number above 0, not "${text}"`);
  return Number(text);
}
