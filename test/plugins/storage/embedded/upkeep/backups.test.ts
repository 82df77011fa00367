/** Scheduled backups: made while the store is used, restored and checked, encrypted, kept and removed. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { STORAGE } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { keptTimes } from '../../../../../plugins/storage/embedded/backups/kept.js';
import { BackupSchedule } from '../../../../../plugins/storage/embedded/backups/schedule.js';
import type { BackupSettings } from '../../../../../plugins/storage/embedded/backups/settings.js';
import { eventually } from '../../../../support/eventually.js';
import { keeper } from '../../../../support/storage/keeper.js';
import { silentLog } from '../../../../support/silent-log.js';
import { openStore, type Opened, type Row } from '../open.js';

const HOUR = 3_600_000;
const KEEP = { hours: 0, days: 7, weeks: 4, months: 12 };

function scratch(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'plugboard-backups-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Scheduled extends Opened {
  readonly schedule: BackupSchedule;
  readonly folder: string;
  readonly failures: () => number;
  readonly errors: unknown[];
}

async function scheduled(t: TestContext, settings: Partial<BackupSettings> = {}): Promise<Scheduled> {
  const opened = await openStore(t);
  const folder = join(scratch(t), 'backups');
  const errors: unknown[] = [];
  let failures = 0;
  const metrics = {
    counter: () => ({ add: () => void failures++ }),
    gauge: () => ({ set: () => {} }),
    histogram: () => ({ observe: () => {} }),
  };
  const log = { ...silentLog, error: (fields: object | string) => void errors.push(fields) };
  const { store, clock } = opened;
  const schedule = new BackupSchedule(
    folder,
    { directory: folder, everyHours: 24, keep: KEEP, encryptTo: [], ...settings },
    { store, clock, log, metrics, signal: new AbortController().signal },
  );
  return { ...opened, schedule, folder, errors, failures: () => failures };
}

test('a backup is made when one is due, and not before', async (t) => {
  const { schedule, folder, clock, storage } = await scheduled(t);
  await storage.collection<Row>({ name: 'rows' }).insertOne({ _id: 'a' });
  await schedule.runIfDue();
  assert.deepEqual(readdirSync(folder), ['2024-01-01T000000Z']);
  clock.time += 23 * HOUR;
  await schedule.runIfDue();
  assert.equal(readdirSync(folder).length, 1);
  clock.time += HOUR;
  await Promise.all([schedule.runIfDue(), schedule.runIfDue()]);
  assert.deepEqual(readdirSync(folder), ['2024-01-01T000000Z', '2024-01-02T000000Z']);
  assert.deepEqual(readdirSync(join(folder, '2024-01-02T000000Z')), ['backup.json', 'data.mdb']);
});

test('what a killed server has left is removed; what is of another store, or no backup, is left alone', async (t) => {
  const { schedule, folder, store, clock } = await scheduled(t, {
    keep: { hours: 0, days: 0, weeks: 0, months: 0 },
  });
  const others = ['unfinished-other-x', '2019-01-01T000000Z', '2020-01-01T000000Z', 'photos'];
  for (const name of [`unfinished-${store.environment.store}-x`, ...others])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, '2020-01-01T000000Z', 'backup.json'), JSON.stringify({ store: 'other' }));
  await schedule.runIfDue();
  clock.time += 24 * HOUR;
  await schedule.runIfDue();
  assert.deepEqual(readdirSync(folder).toSorted(), [...others, '2024-01-02T000000Z'].toSorted());
});

test('a copy that does not restore is no backup: the failure is counted, and nothing is in its place', async (t) => {
  const { schedule, folder, store, storage, failures, clock } = await scheduled(t);
  const rows = Array.from({ length: 500 }, (_, at) => ({ _id: `${at}`, text: 'some text '.repeat(20) }));
  await storage.collection<Row>({ name: 'rows' }).insertMany(rows);
  const backup = store.backup.bind(store);
  t.mock.method(store, 'backup', async (directory: string) => {
    const made = await backup(directory);
    truncateSync(join(directory, 'data.mdb'), 50_000);
    return made;
  });
  await schedule.runIfDue();
  assert.equal(failures(), 1);
  assert.deepEqual(readdirSync(folder), []);
  t.mock.restoreAll();
  await schedule.runIfDue();
  assert.deepEqual(readdirSync(folder), [], 'it does not try again at once');
  clock.time += HOUR;
  await schedule.runIfDue();
  assert.equal(readdirSync(folder).length, 1);
});

test('the program of after gets the folder; when it fails, its words stay out of the log and nothing is removed', async (t) => {
  const note = join(scratch(t), 'note');
  const script = "require('node:fs').writeFileSync(process.argv[2], process.argv[1])";
  const { schedule, folder, errors } = await scheduled(t, {
    after: [process.execPath, '-e', script, '{}', note],
  });
  await schedule.runIfDue();
  assert.deepEqual(errors, []);
  assert.equal(readFileSync(note, 'utf8'), join(folder, '2024-01-01T000000Z'));

  const failing = await scheduled(t, {
    keep: { hours: 0, days: 1, weeks: 0, months: 0 },
    after: [process.execPath, '-e', "console.error('no room'); process.exit(3)", 'hunter2'],
  });
  await failing.schedule.runIfDue();
  failing.clock.time += 24 * HOUR;
  await failing.schedule.runIfDue();
  assert.equal(readdirSync(failing.folder).length, 2);
  assert.equal(failing.failures(), 2);
  const [{ err }] = failing.errors as [{ err: Error }];
  assert.match(err.message, /ended with 3: no room/);
  assert.doesNotMatch(`${err.message}${err.stack}`, /hunter2/);
});

test('of a year of days seven days, four weeks and twelve months keep their newest backup', () => {
  const days = Array.from({ length: 365 }, (_, at) => Date.UTC(2024, 0, 1 + at, 3));
  const kept = keptTimes(days, KEEP);
  const shown = [...kept].toSorted((a, b) => a - b).map((time) => new Date(time).toISOString().slice(5, 10));
  // 2024-12-30 is the last day, a Monday.
  const months = [
    '01-31',
    '02-29',
    '03-31',
    '04-30',
    '05-31',
    '06-30',
    '07-31',
    '08-31',
    '09-30',
    '10-31',
    '11-30',
  ];
  const weeks = ['12-15', '12-22', '12-29'];
  const lastDays = ['12-24', '12-25', '12-26', '12-27', '12-28', '12-29', '12-30'];
  assert.deepEqual(shown, [...new Set([...months, ...weeks, ...lastDays])].toSorted());
  assert.deepEqual(keptTimes([], KEEP), new Set());
  assert.deepEqual([...keptTimes([1, 2], { hours: 0, days: 0, weeks: 0, months: 0 })], [2]);
});

test('the server makes an encrypted backup, which its private key alone restores', async (t) => {
  const place = scratch(t);
  const identity = await generateX25519Identity();
  const keyFile = join(place, 'key.txt');
  writeFileSync(keyFile, `# a comment, as age-keygen writes it\n${identity}\n`);
  const folder = join(place, 'backups');
  const backups = { directory: folder, encryptTo: [await identityToRecipient(identity)] };
  const storage = { use: 'embedded', path: join(place, 'data'), backups };
  // As a restore that was killed leaves it.
  mkdirSync(join(place, 'data', 'restoring-x'), { recursive: true });
  await using server = await bootTest({ plugins: [{ plugin: keeper }], storage });
  const rows = server.service(STORAGE).collection<Row>({ name: 'rows' });
  await eventually(() => readdirSync(folder).some((name) => name.endsWith('Z')), 'there is a backup');
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('Z'));
  const backup = join(folder, name);
  assert.deepEqual(readdirSync(backup), ['backup.json', 'data.mdb.age']);
  await rows.insertOne({ _id: 'later' });

  const without = await server.command(['data', 'restore', backup]);
  assert.match(without.stderr, /is encrypted: add --identity FILE/);
  writeFileSync(join(place, 'other.txt'), await generateX25519Identity());
  const wrong = await server.command(['data', 'restore', backup, '--identity', join(place, 'other.txt')]);
  assert.match(wrong.stderr, /cannot be decrypted: it is damaged, or encrypted to another key/);
  writeFileSync(join(place, 'none.txt'), 'hunter2');
  const none = await server.command(['data', 'restore', backup, '--identity', join(place, 'none.txt')]);
  assert.match(none.stderr, /is no file of age identities/);
  assert.equal(await rows.countDocuments({}), 1);

  const restored = await server.command(['data', 'restore', backup, '--identity', keyFile]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(await rows.countDocuments({}), 0);
  assert.ok(!readdirSync(join(place, 'data')).some((each) => each.startsWith('restoring-')));
});

test('a server does not start with a key that age does not know', async (t) => {
  const backups = { directory: join(scratch(t), 'backups'), encryptTo: ['age1nothing'] };
  const storage = { use: 'embedded', path: join(scratch(t), 'data'), backups };
  await assert.rejects(
    bootTest({ plugins: [{ plugin: keeper }], storage }),
    /"age1nothing" is not a public key/,
  );
});
