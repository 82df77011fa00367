/** An import into a running server beside decoding the same file: processor time, wall time and memory. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root, runMeasured, startPlugboard } from '../measured.js';
import { median, table } from '../table.js';
import { writeArchive } from './archive.js';
import type { Store } from '../stores.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const EVENTS = Number(process.env['BENCH_IMPORT'] ?? 50_000);
const DAY = 86_400_000;

export async function measureImport(stores: readonly Store[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const archive = join(folder, 'archive.json.gz');
  await writeArchive(archive, {
    events: EVENTS,
    accounts: EVENTS / 10,
    commits: 4,
    from: Date.now() - 30 * DAY,
    step: 50,
  });
  const { size } = await stat(archive);
  console.log(
    `\nAn import of ${EVENTS} events, ${(size / 2 ** 20).toFixed(1)} MiB in gzip; medians of ${ROUNDS} rounds\n`,
  );
  const decoded: Row[] = [];
  const imported = stores.map((): Row[] => []);
  const again = stores.map((): Row[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    decoded.push(await decode(archive));
    for (const [at, store] of stores.entries()) {
      const [first, second] = await importTwice(archive, store, join(folder, `${store.name}-${round}`));
      imported[at]?.push(first);
      again[at]?.push(second);
    }
  }
  const row = (name: string, rows: readonly Row[]): string[] => [
    name,
    median(rows.map(({ seconds }) => seconds)).toFixed(2),
    median(rows.map(({ cpu }) => cpu)).toFixed(2),
    median(rows.map(({ cpu }, at) => cpu / (decoded[at]?.cpu ?? NaN))).toFixed(2),
    median(rows.map(({ quarters }) => quarters[0] ?? NaN)).toFixed(0),
    median(rows.map(({ quarters }) => quarters[1] ?? NaN)).toFixed(0),
    median(rows.map(({ quarters }) => quarters[2] ?? NaN)).toFixed(0),
    median(rows.map(({ quarters }) => quarters[3] ?? NaN)).toFixed(0),
  ];
  console.log(
    table(
      ['', 's', 'processor s', 'of decoding', 'MiB: 1st quarter', '2nd', '3rd', '4th'],
      [
        row('gunzip and JSON.parse', decoded),
        ...stores.flatMap(({ name }, at) => [
          row(`import, ${name}`, imported[at] ?? []),
          row(`the same again, ${name}`, again[at] ?? []),
        ]),
      ],
    ),
  );
  await rm(folder, { recursive: true });
}

interface Row {
  readonly seconds: number;
  /** Seconds. */
  readonly cpu: number;
  /** Most memory in each quarter of the time, in MiB. */
  readonly quarters: readonly number[];
}

async function decode(archive: string): Promise<Row> {
  const { seconds, seen, output } = await runMeasured([join(import.meta.dirname, 'decode.js'), archive], 20);
  return { seconds, cpu: Number(output) / 1e6, quarters: quartersOf(seen.map(({ memory }) => memory)) };
}

async function importTwice(archive: string, store: Store, at: string): Promise<[Row, Row]> {
  const file = `${at}.json`;
  const server = await startPlugboard(file, {
    server: { port: 0 },
    providers: { storage: store.config(at), auth: { use: 'local' }, secrets: { keys: ['0'.repeat(64)] } },
    plugins: { events: {} },
  });
  const run = async (expected: RegExp): Promise<Row> => {
    const before = await server.gauge();
    const seen: number[] = [];
    let running = true;
    const watching = (async () => {
      for (; running; await setTimeout(50)) seen.push((await server.gauge()).memory);
    })();
    const { seconds, output } = await runMeasured([
      join(root, 'dist/tools/plugboard.js'),
      '--config',
      file,
      'events',
      'import',
      archive,
    ]);
    running = false;
    await watching;
    if (!expected.test(output)) throw new Error(output);
    const after = await server.gauge();
    return { seconds, cpu: (after.cpu - before.cpu) / 1e6, quarters: quartersOf(seen) };
  };
  const first = await run(new RegExp(`${EVENTS} stored`));
  const second = await run(new RegExp(`${EVENTS} known`));
  await server.stop();
  await store.drop();
  await rm(at, { recursive: true, force: true });
  return [first, second];
}

function quartersOf(sizes: readonly number[]): number[] {
  return [0, 1, 2, 3].map((quarter) => {
    const part = sizes.slice((quarter * sizes.length) / 4, ((quarter + 1) * sizes.length) / 4);
    return Math.max(...part) / 2 ** 20;
  });
}
