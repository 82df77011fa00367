/** What every bench gets: servers and stores that end with it, and comparisons in alternating rounds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { burst, type HttpSide } from './load.js';
import { KEY, startServer, type Server } from './server.js';
import { stores, type Store } from './stores.js';
import { Report, type Figures } from './table.js';

export const root = resolve(import.meta.dirname, '../../..');

export interface Options {
  readonly rounds?: number | undefined;
  readonly seconds?: number | undefined;
  readonly only?: string | undefined;
  readonly documents?: number | undefined;
  readonly static?: string | undefined;
  readonly encoder?: string | undefined;
  readonly before?: string | undefined;
}

export interface Comparison<Side> {
  /** The name of the row. */
  readonly what: string;
  readonly sides: readonly Side[];
  /** `round` counts from 0, the warm-up included. */
  measure(side: Side, round: number): Promise<Figures>;
  /** Unless `--rounds` says otherwise: 5. */
  readonly rounds?: number;
  /** Rounds before those that count: 1. */
  readonly warm?: number;
  /** One round without a warm-up, whatever the options say: it cannot be repeated, or takes long. */
  readonly once?: true;
  /** The side whose figures the others are divided by; none: no ratios. */
  readonly reference?: string;
}

export interface HttpComparison extends Pick<Comparison<HttpSide>, 'what' | 'sides' | 'warm' | 'reference'> {
  readonly connections: number;
}

export type Bench = Awaited<ReturnType<typeof openBench>>;

export async function openBench(options: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  const cleanups: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const report = new Report();
  const only = new RegExp(options.only ?? '');
  const seconds = options.seconds ?? 2;

  const start = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> => {
    const server = await startServer(args, env);
    cleanups.push(() => server.stop());
    return server;
  };

  async function compare<Side extends { readonly name: string }>(
    comparison: Comparison<Side>,
  ): Promise<void> {
    const { what, sides, measure, once, reference } = comparison;
    if (!only.test(what)) return;
    const warm = once ? 0 : (comparison.warm ?? 1);
    const rounds = once ? 1 : (options.rounds ?? comparison.rounds ?? 5);
    const results = sides.map((): Figures[] => []);
    for (let round = 0; round < warm + rounds; round += 1) {
      const order = [...sides.entries()];
      // The order alternates, so that a machine that slows down favours none.
      for (const [at, side] of round % 2 === 0 ? order : order.toReversed()) {
        const figures = await measure(side, round);
        if (round >= warm) results[at]?.push(figures);
      }
    }
    const base = results[sides.findIndex(({ name }) => name === reference)];
    for (const [at, { name }] of sides.entries()) report.row(what, name, results[at] ?? [], base);
  }

  return {
    folder,
    options,
    seconds,
    /** Whether `--only` asks for a row of this name. */
    wants: (what: string): boolean => only.test(what),
    /** Runs at the end, the last one first. */
    onEnd: (cleanup: () => unknown): void => void cleanups.push(cleanup),
    /** A Node process that prints its URL once it listens. */
    start,
    /** `plugboard run`, on the embedded store unless `storage` says otherwise. */
    async plugboard(
      name: string,
      {
        storage,
        auth,
        ...config
      }: {
        readonly storage?: object;
        readonly auth?: object;
        readonly [key: string]: unknown;
      },
      checkout = root,
    ): Promise<Server> {
      const file = join(folder, `${name}.json`);
      const providers = {
        storage: storage ?? { use: 'embedded', path: join(folder, name) },
        auth: { use: 'local', firstKey: KEY, ...auth },
        secrets: { keys: ['0'.repeat(64)] },
      };
      await writeFile(file, JSON.stringify({ version: 1, server: { port: 0 }, providers, ...config }));
      return start([join(checkout, 'dist/tools/plugboard.js'), 'run', file]);
    },
    /** The embedded store, and MongoDB where there is one; their data goes at the end. */
    stores(): readonly Store[] {
      const all = stores(folder);
      for (const store of all) cleanups.splice(1, 0, () => store.drop());
      return all;
    },
    compare,
    /** Bursts of calls on servers. */
    http: ({ connections, ...comparison }: HttpComparison): Promise<void> =>
      compare({ ...comparison, measure: (side) => burst(side, { connections, seconds }) }),
    async close(): Promise<void> {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    },
  };
}
