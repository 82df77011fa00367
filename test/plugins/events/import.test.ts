/** Importing archives: what is stored, what is reported, and what a killed process leaves. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { JOBS, STORAGE, type JobRun } from 'plugboard/sdk';
import { importArchive, type ImportInput } from '../../../plugins/events/archive/import.js';
import { splitLines } from '../../../plugins/events/archive/lines.js';
import type { Sink } from '../../../plugins/events/archive/sinks.js';
import { RecordFault } from '../../../plugins/events/store/record.js';
import { eventually } from '../../support/eventually.js';
import { silentLog } from '../../support/silent-log.js';
import { eachStore } from '../../support/stores.js';
import { archived, writeArchive } from './support/archive.js';
import { EventsServer } from './support/boot.js';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-archives-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const records = (count: number, from = 0) => Array.from({ length: count }, (_, at) => archived(from + at));

eachStore('events import', (store) => {
  let served: EventsServer;
  const run = (...words: string[]) => served.server.command(['events', 'import', ...words]);

  before(async () => {
    served = await EventsServer.boot({}, { storage: await store.fresh() });
  });
  after(() => served[Symbol.asyncDispose]());

  test('stores an archive, fills the directory, and does nothing the second time', async () => {
    const file = join(folder, 'whole.json.gz');
    writeArchive(file, records(2_500));
    const first = await run(file);
    assert.deepEqual([first.code, first.stderr], [0, first.stderr]);
    assert.match(first.stdout, /^2500 lines: 2500 stored, 0 known already, 0 older .* 0 wrong\n$/);
    const again = await run(file);
    assert.match(again.stdout, /^2500 lines: 0 stored, 2500 known already/);
    const [newest] = (await served.get('/events')).json();
    assert.equal(newest?.id, '10002499');
    assert.equal(newest?.actor.image_id, '');
    assert.equal('gravatar_id' in (newest?.actor ?? {}), false);
    assert.equal((await served.ids(`/users/${newest?.actor.login}/events?page=5`)).length, 28);
    assert.equal((await served.ids(`/repos/${newest?.repo.name}/events`)).length, 30);
  });

  test('reads a file that is not compressed, without a newline at its end', async () => {
    const file = join(folder, 'plain.json');
    writeFileSync(file, JSON.stringify(archived(900_000)));
    assert.match((await run(file)).stdout, /^1 lines: 1 stored/);
  });

  test('passes over what is older than the retention', async () => {
    const file = join(folder, 'old.json.gz');
    writeArchive(file, [archived(900_100, { created_at: '2015-01-01T15:00:00Z' }), archived(900_101)]);
    assert.match((await run(file)).stdout, /^2 lines: 1 stored, 0 known already, 1 older/);
  });

  const wrong: readonly (readonly [string, object | string, RegExp])[] = [
    ['is not JSON', '{"id":', /the line is not JSON/],
    ['holds half of a surrogate pair', String.raw`{"id":"\udc00"}`, /half of a surrogate pair/],
    ['is a list', '[1]', /event must be an object/],
    ['has no id', archived(1, { id: undefined }), /id is required/],
    ['has a number for an id', archived(1, { id: 7 }), /id must be 1 to 100 visible ASCII characters/],
    ['has no actor', archived(1, { actor: null }), /actor is required/],
    [
      'has a repository without an owner',
      archived(1, { repo: { id: 1, name: 'x' } }),
      /repo\.name must be owner\/name/,
    ],
    ['has no time', archived(1, { created_at: undefined }), /created_at is required/],
    [
      'has a time to come',
      archived(1, { created_at: '2999-01-01T00:00:00Z' }),
      /created_at must not lie in the future/,
    ],
  ];

  test('stops at a wrong line, names it, and keeps what came before it', async () => {
    for (const [at, [, line, reason]] of wrong.entries()) {
      const file = join(folder, `stops-${at}.json.gz`);
      const first = 1_000_000 + at * 10;
      writeArchive(file, [archived(first), archived(first + 1), line, archived(first + 2)]);
      const { code, stderr } = await run(file);
      assert.equal(code, 2);
      assert.match(stderr, reason);
      assert.match(stderr, /stopped at line 3: .*; what came before it is stored/);
      const [newest] = (await served.get('/events')).json();
      assert.equal(newest?.id, String(10_000_000 + first + 1));
    }
  });

  test('passes over wrong lines when asked to, and lists them', async () => {
    const file = join(folder, 'skips.json.gz');
    writeArchive(
      file,
      wrong.flatMap(([, line], at) => [archived(2_000_000 + at), line]),
    );
    const { code, stdout, stderr } = await run(file, '--skip');
    assert.equal(code, 0);
    assert.match(stdout, /^18 lines: 9 stored.* 9 wrong\n$/);
    for (const [at] of wrong.entries()) assert.match(stderr, new RegExp(`^line ${2 * at + 2}: `, 'm'));
  });

  test('says where a damaged archive ends', async () => {
    const whole = join(folder, 'damaged.json.gz');
    writeArchive(whole, records(3_000, 3_000_000));
    const bytes = readFileSync(whole);
    writeFileSync(whole, bytes.subarray(0, bytes.length / 2));
    const { code, stderr } = await run(whole);
    assert.equal(code, 2);
    assert.match(stderr, /the archive is damaged: unexpected end of file; what came before it is stored/);
  });

  test('a file that is not there is the mistake of the user', async () => {
    const { code, stderr } = await run(join(folder, 'nothing.json.gz'));
    assert.equal(code, 2);
    assert.match(stderr, /^no file /);
  });

  test('issue events go to the repositories that their addresses name', async () => {
    const file = join(folder, 'issues.json.gz');
    const one = (id: number, repository: string) => ({
      id,
      url: `https://api.example.org/repos/${repository}/issues/events/${id}`,
      event: 'closed',
      actor: { id: 5_001, login: 'actor-5001', gravatar_id: '' },
      created_at: new Date(Date.now() - id * 1_000).toISOString(),
      issue: { number: 1 },
    });
    writeArchive(file, [one(1, 'owner/repo-9001'), one(2, 'owner/repo-9001'), one(3, 'nobody/nothing')]);
    const { stdout } = await run(file, '--issue-events');
    assert.match(stdout, /^3 lines: 2 stored, .* 1 of unknown repositories/);
    assert.deepEqual(await served.ids('/repos/owner/repo-9001/issues/events'), [1, 2] as never);
  });
});

test('an import that is killed goes on when the server is back, and stores every event once', async () => {
  const store = join(folder, 'killed');
  const file = join(folder, 'killed.json.gz');
  const count = 5_000;
  writeArchive(file, records(count));
  const child = fork(join(import.meta.dirname, 'support/importer.js'), [store, file], { stdio: 'ignore' });
  // It tells how many events it has stored.
  for await (const [stored] of on(child, 'message')) if ((stored as number) >= 1_000) break;
  child.kill('SIGKILL');
  await once(child, 'exit');

  // The killed process still holds the job until the new one has watched its beat for the lease.
  await using served = await EventsServer.boot(
    {},
    { storage: { use: 'embedded', path: store }, jobs: { lease: 2_000 } },
  );
  const events = served.server.service(STORAGE, 'events').collection({ name: 'events' });
  const left = await events.countDocuments({});
  assert.ok(left > 0 && left < count && left % 1_000 === 0, `${left} of whole batches`);
  const jobs = served.server.service(JOBS, 'events');
  await eventually(async () => (await jobs.list())[0]?.state === 'done', 'the import ends');
  assert.equal(await events.countDocuments({}), count);
  const [{ result } = { result: {} }] = await jobs.list();
  const { lines, stored, known } = result as Record<string, number>;
  assert.equal(lines, count);
  assert.ok((stored ?? 0) + (known ?? 0) >= count - 1_000);
});

test('an import that goes on lists a wrong line once', async (t) => {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  const file = join(folder, 'goes-on.json.gz');
  writeArchive(file, [...records(1_000, 4_000_000), 'wrong', 'wrong', ...records(10, 4_100_000)]);
  let checkpoint: unknown;
  const stop = new AbortController();
  const run: JobRun<ImportInput> = {
    id: 'run',
    input: { path: file, records: 'events', onError: 'skip' },
    attempt: 1,
    checkpoint: undefined,
    signal: stop.signal,
    log: silentLog,
    progress: () => {},
    save: (saved) => {
      checkpoint ??= structuredClone(saved);
      return Promise.resolve();
    },
  };
  const sink: Sink<unknown> = {
    read: (line) => {
      if (line === 'wrong') throw new RecordFault('line', 'invalid', 'it is wrong');
      return line;
    },
    store: async (all) => {
      // The lines after the batch have been read, and a checkpoint is due.
      await setImmediate();
      now += 600;
      return { stored: all.length, known: 0, expired: 0, unknown: 0 };
    },
  };
  await importArchive(sink, run);
  assert.ok(checkpoint, 'there was a checkpoint in the middle');
  const { wrong, skipped, lines } = await importArchive(sink, { ...run, checkpoint });
  assert.deepEqual([wrong.map(({ line }) => line), skipped, lines], [[1_001, 1_002], 2, 1_012]);
});

describe('lines', () => {
  const split = async (chunks: string[], longest?: number) => {
    const lines: (string | null)[] = [];
    for await (const group of splitLines(Readable.from(chunks.map((text) => Buffer.from(text))), longest))
      lines.push(...group);
    return lines;
  };

  test('are put together from chunks, in the middle of a character too', async () => {
    const bytes = Buffer.from('ä\nbö\n\nc');
    const chunks = Array.from(bytes, (byte) => Buffer.of(byte));
    const lines: (string | null)[] = [];
    for await (const group of splitLines(Readable.from(chunks))) lines.push(...group);
    assert.deepEqual(lines, ['ä', 'bö', '', 'c']);
  });

  test('that are too long are told and not kept, and the next one is whole', async () => {
    assert.deepEqual(await split(['abc', 'def\nok\n', 'toolong\nend'], 5), [null, 'ok', null, 'end']);
    assert.deepEqual(await split(['12345\n12345', '\n123', '456'], 5), ['12345', '12345', null]);
  });
});
