/**
 * The embedded store vs SQLite and nedb, the MongoDB adapter vs the raw driver: every store in its own process, each
 * task in turn on all of them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../context.js';
import { tasks } from './tasks.js';

interface Side {
  readonly name: string;
  /** Sends a message and resolves to the answer. */
  ask(task: number): Promise<number>;
}

export default async function run(bench: Bench): Promise<void> {
  const url = process.env['MONGODB_URI'];
  await compare(bench, ['embedded', 'SQLite', 'nedb'], 'SQLite');
  if (url !== undefined) await compare(bench, ['MongoDB adapter', 'raw driver'], 'raw driver', url);
}

async function compare(bench: Bench, names: readonly string[], reference: string, url = ''): Promise<void> {
  const documents = bench.options.documents ?? 100_000;
  const sides: Side[] = [];
  // One after the other: a store that is being filled keeps the disk from the others.
  for (const name of names) sides.push(await open(bench, name, documents, url));
  for (const [at, { name: what, warm }] of tasks(documents).entries()) {
    // MongoDB keeps its own cache, and a round of it takes seconds.
    await bench.compare({
      what,
      sides,
      warm: url === '' ? warm : 1,
      reference,
      measure: async (side) => ({ 'us an operation': await side.ask(at) }),
    });
  }
}

async function open(bench: Bench, name: string, documents: number, url: string): Promise<Side> {
  const store = fork(join(import.meta.dirname, 'store.js'), [name, bench.folder, String(documents), url]);
  bench.onEnd(async () => {
    if (store.exitCode !== null) return;
    store.send('close');
    await once(store, 'exit');
  });
  const answer = async (): Promise<number> => {
    const ended = new AbortController();
    const failed = once(store, 'exit', ended).then(() => Promise.reject(new Error(`${name} ended early`)));
    try {
      const [microseconds] = await Promise.race([once(store, 'message', ended), failed]);
      return Number(microseconds);
    } finally {
      ended.abort();
    }
  };
  await answer();
  return {
    name,
    ask(task) {
      store.send(task);
      return answer();
    },
  };
}
