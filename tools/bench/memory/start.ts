/**
 * Starts with a large memory vs starts with an empty one: until `/-/live` and until `/-/ready` answer, after a clean
 * stop, after a kill during reindexing, and without the words saved by the last start. Then filtered lists of that
 * memory vs an unfiltered page.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root, type Bench } from '../context.js';
import { sentence, uniform } from '../random.js';
import { KEY, startServer, type Server } from '../server.js';
import { processorTime } from '../usage.js';

const PROGRAM = join(root, 'dist/tools/plugboard.js');
const VOCABULARY = 30_000;
const OWNERS = 20;
const SESSIONS = 1_200;
const TYPES = ['factual', 'episodic', 'procedural', 'semantic'];
const headers = { authorization: `Bearer ${KEY}` };

interface Start {
  readonly name: string;
  readonly config: string;
  before?(): Promise<void> | void;
}

export default async function run(bench: Bench): Promise<void> {
  const documents = bench.options.documents ?? 100_000;
  const empty = configured(bench.folder, 'empty');
  const full = configured(bench.folder, 'full');
  const file = join(bench.folder, 'memories.ndjson');
  writeFileSync(file, memories(documents));
  execFileSync(process.execPath, [PROGRAM, 'memory', 'import', file, '--config', full], { stdio: 'ignore' });
  const killed = async (): Promise<void> => {
    const server = await startServer([PROGRAM, 'run', full]);
    await answered(server, '/-/ready');
    const asked = await fetch(`${server.origin}/api/memory/reindex`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"force":true}',
    });
    if (!asked.ok) throw new Error(`the reindexing was not begun: ${await asked.text()}`);
    await setTimeout(1_000);
    for (const pid of server.pids) process.kill(pid, 'SIGKILL');
    await server.stop();
  };
  const starts: Start[] = [
    { name: 'an empty memory', config: empty },
    { name: 'after a clean stop', config: full },
    { name: 'after a kill in a reindexing', config: full, before: killed },
    {
      name: 'without the words that are kept',
      config: full,
      before: () => rmSync(join(bench.folder, 'full', 'memory.words'), { force: true }),
    },
  ];
  await bench.compare({
    what: `start with ${documents} entries`,
    sides: starts,
    rounds: 3,
    reference: 'an empty memory',
    async measure({ config, before }) {
      await before?.();
      const began = performance.now();
      const server = await startServer([PROGRAM, 'run', config]);
      await answered(server, '/-/live');
      const live = performance.now() - began;
      await answered(server, '/-/ready');
      const figures = {
        'live, ms': live,
        'ready, ms': performance.now() - began,
        'processor, ms': processorTime(server.pids) / 1_000,
      };
      await server.stop();
      return figures;
    },
  });
  const server = await bench.start([PROGRAM, 'run', full]);
  await answered(server, '/-/ready');
  const lists = { all: '', metadata: '&metadata.team=t7', session: '&sessionId=s7', type: '&type=factual' };
  await bench.http({
    what: `a page of ${documents} entries`,
    sides: Object.entries(lists).map(([name, query]) => ({
      name,
      server,
      call: () => ({ path: `/api/memory?limit=20${query}`, headers }),
    })),
    connections: 1,
    reference: 'all',
  });
}

function configured(folder: string, name: string): string {
  const file = join(folder, `${name}.json`);
  const providers = {
    storage: { use: 'embedded', path: join(folder, name) },
    auth: { use: 'local', firstKey: KEY },
  };
  writeFileSync(
    file,
    JSON.stringify({ version: 1, server: { port: 0 }, providers, plugins: { memory: {} } }),
  );
  return file;
}

function memories(count: number): string {
  const random = uniform(11);
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      apiKeyId: `owner-${at % OWNERS}`,
      sessionId: at % 3 === 0 ? null : `s${Math.floor(random() * SESSIONS)}`,
      type: TYPES[at % TYPES.length],
      key: `key-${at}`,
      content: sentence(12 + Math.floor(random() * 36), VOCABULARY, random),
      metadata: { team: `t${at % SESSIONS}` },
      createdAt: new Date(1_700_000_000_000 + at * 1_000).toISOString(),
    }),
  ).join('\n');
}

async function answered({ origin }: Server, path: string): Promise<void> {
  while (!(await fetch(`${origin}${path}`)).ok) await setTimeout(5);
}
