/** Kills in the middle of everything that is long, and files that are harmed: the right state, or a refusal in words. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import { isUserError } from 'plugboard/sdk';
import { exportAll } from '../../../../../plugins/storage/transfer/export.js';
import { importAll } from '../../../../../plugins/storage/transfer/import.js';
import { ProgressLine } from '../../../../../plugins/storage/transfer/progress-line.js';
import { repair } from '../../../../../plugins/storage/embedded/upkeep/repair.js';
import { wholeStore } from '../../../../../plugins/storage/embedded/whole-store.js';
import { writeAndKill } from './kill.js';
import { openStore, type Row } from '../open.js';
import type { Random } from './power-loss.js';
import { INDEXED, ROWS } from '../rows.js';

const WORKER = fileURLToPath(new URL('./fault-worker.js', import.meta.url));
const REFUSED = 3;
const COUNT = 1000;
const OLD = 100;

export type Killed = 'backup' | 'restore' | 'export' | 'import' | 'index' | 'repair' | 'recovery';
export type Harm = 'shorten' | 'flip' | 'zero' | 'swap';

/** How the rounds ended. */
export interface Tally {
  /** The store was as it must be: nothing done, or all of it. */
  right: number;
  /** The store, or the copy, was refused in words. */
  refused: number;
}

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly output: string;
  readonly milliseconds: number;
}

/** Runs a worker, and kills it that long after it began. */
async function work(words: readonly string[], killAfter?: number): Promise<Ended> {
  const child = spawn(process.execPath, [WORKER, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  await Promise.race([once(child.stdout, 'readable'), exited]);
  const began = performance.now();
  if (killAfter !== undefined) {
    await Promise.race([sleep(killAfter), exited]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  const milliseconds = performance.now() - began;
  return { code, signal, output: `${await output}${await errors}`, milliseconds };
}

class Fixture {
  readonly #t: TestContext;
  readonly #parent: string;

  constructor(t: TestContext) {
    this.#t = t;
    this.#parent = mkdtempSync(join(tmpdir(), 'plugboard-faults-'));
    t.after(() => rmSync(this.#parent, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.#parent, name);
  }

  /** A folder of that content, for one round. */
  copyOf(name: string, as: string): string {
    rmSync(this.path(as), { recursive: true, force: true });
    cpSync(this.path(name), this.path(as), { recursive: true, preserveTimestamps: true });
    return this.path(as);
  }

  nothing(name: string): string {
    rmSync(this.path(name), { recursive: true, force: true });
    return this.path(name);
  }

  async fill(name: string, count: number, mark: string): Promise<void> {
    const { store, storage } = await openStore(this.#t, { directory: this.path(name) });
    await storage.collection<Row>(ROWS).insertMany(
      Array.from({ length: count }, (_, at) => ({
        _id: `${mark}${at}`,
        key: `${mark}${at}`,
        writer: mark,
        n: at,
        text: `${mark} `.repeat(at % 200),
      })),
    );
    await store.close();
  }

  /** Opens the store and returns how many rows of each mark it has; everything else must be right. */
  async rowsIn(directory: string): Promise<Record<string, number>> {
    const { store, storage } = await openStore(this.#t, { directory });
    try {
      await store.settleDoubts();
      await store.tidy();
      const { faults, documents } = await store.check();
      assert.deepEqual(faults, []);
      const rows = await storage.collection<Row>(ROWS).find({}).toArray();
      assert.equal(rows.length, documents, 'nothing is left of what was not finished');
      const counts: Record<string, number> = {};
      for (const { writer } of rows) counts[String(writer)] = (counts[String(writer)] ?? 0) + 1;
      return counts;
    } finally {
      await store.close();
    }
  }

  async with<T>(
    directory: string,
    use: (opened: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
  ): Promise<T> {
    const opened = await openStore(this.#t, { directory });
    try {
      return await use(opened);
    } finally {
      await opened.store.close();
    }
  }
}

const transfer = () => ({ progress: new ProgressLine(process.stderr), signal: new AbortController().signal });

/** `rounds` kills at instants that `random` chooses. Throws at the first state that is neither right nor refused. */
export async function killedIn(t: TestContext, task: Killed, rounds: number, random: Random): Promise<Tally> {
  const fixture = new Fixture(t);
  const tally: Tally = { right: 0, refused: 0 };
  if (task === 'recovery') return killedInRecovery(fixture, rounds, random, tally);
  await fixture.fill('full', COUNT, 'new');
  await fixture.fill('old', OLD, 'old');
  await fixture.with(fixture.path('full'), async ({ store }) => {
    await store.backup(fixture.path('backup'));
    await exportAll(wholeStore(store), fixture.path('exported'), transfer());
  });
  const prepare: Record<Exclude<Killed, 'recovery'>, () => [string, string]> = {
    backup: () => [fixture.copyOf('full', 'store'), fixture.nothing('other')],
    restore: () => [fixture.copyOf('old', 'store'), fixture.path('backup')],
    export: () => [fixture.copyOf('full', 'store'), fixture.nothing('other')],
    import: () => [fixture.copyOf('old', 'store'), fixture.copyOf('exported', 'other')],
    index: () => [fixture.copyOf('full', 'store'), ''],
    repair: () => [withOneChanged(fixture.copyOf('full', 'store')), ''],
  };
  const whole = await work([task, ...prepare[task]()]);
  assert.match(whole.output, /end/);
  for (let round = 0; round < rounds; round++) {
    const [directory, other] = prepare[task]();
    await work([task, directory, other], random() * whole.milliseconds * 1.1);
    await afterKill(fixture, task, { directory, other }, tally);
  }
  return tally;
}

async function afterKill(
  fixture: Fixture,
  task: Exclude<Killed, 'recovery'>,
  { directory, other }: { directory: string; other: string },
  tally: Tally,
): Promise<void> {
  switch (task) {
    case 'backup': {
      assert.deepEqual(await fixture.rowsIn(directory), { new: COUNT });
      const target = fixture.copyOf('old', 'target');
      const isWhole = await fixture.with(target, ({ store }) =>
        store.restore(other).then(
          () => true,
          (error: unknown) => {
            assert.ok(isUserError(error), String(error));
            return false;
          },
        ),
      );
      assert.deepEqual(await fixture.rowsIn(target), isWhole ? { new: COUNT } : { old: OLD });
      tally[isWhole ? 'right' : 'refused']++;
      return;
    }
    case 'restore': {
      const rows = await fixture.rowsIn(directory);
      assert.deepEqual(rows, rows['old'] === undefined ? { new: COUNT } : { old: OLD });
      break;
    }
    case 'export':
      await fixture.with(directory, async ({ store }) => {
        if (!existsSync(join(other, 'export.json'))) await exportAll(wholeStore(store), other, transfer());
      });
      assert.deepEqual(
        readFileSync(join(other, 'test.rows.bson')),
        readFileSync(fixture.path('exported/test.rows.bson')),
      );
      break;
    case 'import':
      await fixture.with(directory, ({ store }) =>
        importAll(wholeStore(store), other, { ...transfer(), replace: true, hasSealKey: false }),
      );
      assert.deepEqual(await fixture.rowsIn(directory), { new: COUNT });
      break;
    case 'repair': {
      // Refused until it is repaired, whatever is left of the first repair.
      const { code, signal, output } = await work(['open', directory]);
      assert.equal(signal, null, output);
      if (code === REFUSED) await repair(directory, new Date());
      assert.deepEqual(await fixture.rowsIn(directory), { new: COUNT - 1 });
      break;
    }
    case 'index':
      await fixture.with(directory, async ({ store, storage }) => {
        await store.settleDoubts();
        const rows = storage.collection<Row>(INDEXED);
        await store.ready();
        assert.equal((await rows.explain({ text: 'x' })).index, 'text');
        const { entries, faults } = await store.check();
        assert.equal(await rows.countDocuments({}), COUNT);
        assert.deepEqual([entries, faults], [INDEXED.indexes.length * COUNT, []]);
      });
  }
  tally.right++;
}

async function killedInRecovery(
  fixture: Fixture,
  rounds: number,
  random: Random,
  tally: Tally,
): Promise<Tally> {
  for (let round = 0; round < rounds; round++) {
    const directory = fixture.nothing('store');
    const acknowledged = await writeAndKill(directory, 'w');
    for (let times = 0; times < 3; times++) await work(['open', directory], random() * 60);
    await assertAcknowledged(await work(['open', directory]), acknowledged);
    tally.right++;
  }
  return tally;
}

/** Harms a file of a folder that was closed or that crashed, and opens it in a process of its own. */
export async function harmed(t: TestContext, harm: Harm, rounds: number, random: Random): Promise<Tally> {
  const fixture = new Fixture(t);
  const tally: Tally = { right: 0, refused: 0 };
  await fixture.fill('other', 100, 'other');
  await writeAndKill(fixture.path('otherCrashed'), 'o');
  const acknowledged = await writeAndKill(fixture.path('crashed'), 'w');
  fixture.copyOf('crashed', 'closed');
  assert.match((await work(['open', fixture.path('closed')])).output, /end/);
  for (let round = 0; round < rounds; round++) {
    const kind = random() < 0.5 ? 'crashed' : 'closed';
    const directory = fixture.copyOf(kind, 'store');
    const files = ['data.mdb', ...(kind === 'crashed' ? ['write-ahead.log', 'checkpoint'] : [])];
    const file = files[Math.floor(random() * files.length)]!;
    const swapped = fixture.path(kind === 'crashed' ? 'otherCrashed' : 'other');
    const said = harmFile(join(directory, file), harm, random, join(swapped, file));
    const ended = await work(['open', directory]);
    assert.equal(ended.signal, null, `${said}: ${ended.output}`);
    if (ended.code === REFUSED) tally.refused++;
    else {
      assert.equal(ended.code, 0, `${said}: ${ended.output}`);
      if (harm === 'swap' && file === 'data.mdb' && kind === 'closed')
        assert.fail('the file of another store was taken');
      await assertAcknowledged(ended, acknowledged, said);
      tally.right++;
    }
  }
  return tally;
}

/** Changes a byte of one document, in its former copies on free pages too. */
function withOneChanged(directory: string): string {
  const path = join(directory, 'data.mdb');
  const bytes = readFileSync(path);
  const id = Buffer.from('\x02_id\0\x06\0\0\0new77\0', 'latin1');
  for (let at = bytes.indexOf(id); at !== -1; at = bytes.indexOf(id, at + 1)) bytes[at + 9]! ^= 1;
  writeFileSync(path, bytes);
  return directory;
}

function harmFile(path: string, harm: Harm, random: Random, swapped: string): string {
  const bytes = readFileSync(path);
  const at = Math.floor(random() * bytes.length);
  switch (harm) {
    case 'shorten':
      truncateSync(path, at);
      break;
    case 'flip':
      bytes[at]! ^= 1 << Math.floor(random() * 8);
      writeFileSync(path, bytes);
      break;
    case 'zero': {
      const page = at - (at % 4096);
      writeFileSync(path, bytes.fill(0, page, Math.min(page + 4096, bytes.length)));
      break;
    }
    case 'swap':
      copyFileSync(swapped, path);
  }
  return `${harm} ${path} at ${at} of ${statSync(path).size}`;
}

async function assertAcknowledged(
  { output, code }: Ended,
  acknowledged: ReadonlyMap<string, number | null>,
  said = '',
): Promise<void> {
  assert.equal(code, 0, output);
  const line = output.split('\n').find((each) => each.startsWith('{'))!;
  const rows = new Map(Object.entries(JSON.parse(line) as Record<string, number>));
  for (const [id, n] of acknowledged) {
    const now = rows.get(id);
    const isRight =
      n === null
        ? now === undefined
        : n === -1
          ? now === -1
          : now === undefined
            ? n >= 1000
            : now === n || now === n + 1000 || now === -1;
    assert.ok(isRight, `${said}: ${id} was acknowledged as ${n} and is ${now}`);
  }
}
