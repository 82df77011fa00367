/** The log by itself: a file that is used round and round, and what is left of it after a crash. */
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Recording } from '../../../../../plugins/storage/embedded/lmdb/log/record.js';
import {
  CAPACITY,
  LOG,
  WriteAheadLog,
} from '../../../../../plugins/storage/embedded/lmdb/log/write-ahead-log.js';

function openLog(t: TestContext): { log: WriteAheadLog; path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-log-'));
  const log = WriteAheadLog.create(directory, { store: '00'.repeat(16), opening: 1 });
  t.after(() => {
    log.close();
    rmSync(directory, { recursive: true });
  });
  return { log, path: join(directory, LOG) };
}

const recording = new Recording();

/** Writes one record after the position; returns where it ends. */
function append(
  log: WriteAheadLog,
  position: number,
  sequence: number,
  value: string,
  epoch = 1,
  durable = 0,
): number {
  recording.begin();
  recording.put('documents', Buffer.from(`key${sequence}`), Buffer.from(value));
  recording.remove('indexes', Buffer.from('gone'));
  recording.clear('changes');
  const record = recording.finish(epoch, sequence, durable);
  const start = log.place(position, record.length);
  log.write(start, record);
  return start + record.length;
}

test('a record gives its operations back', (t) => {
  const { log } = openLog(t);
  append(log, 0, 8, 'value');
  const [record] = [...log.read(0, 1, 7)];
  assert.deepEqual(
    [...record!.operations!],
    [
      { kind: 'put', space: 'documents', key: Buffer.from('key8'), value: Buffer.from('value') },
      { kind: 'remove', space: 'indexes', key: Buffer.from('gone') },
      { kind: 'clear', space: 'changes' },
    ],
  );
});

test('records go on at the start of the file, which does not grow beyond its capacity', (t) => {
  const { log, path } = openLog(t);
  let position = 0;
  let from = { position, sequence: 0 };
  for (let sequence = 1; position < 2.5 * CAPACITY; sequence++) {
    if (position < 2.2 * CAPACITY) from = { position, sequence: sequence - 1 };
    position = append(log, position, sequence, 'x'.repeat(100_000));
  }
  const records = [...log.read(from.position, 1, from.sequence)];
  assert.equal(records.at(-1)?.end, position);
  assert.equal(statSync(path).size, 4096 + CAPACITY);
});

test('reading ends at a gap, a torn record and a record of a former life', (t) => {
  const { log, path } = openLog(t);
  const first = append(log, 0, 1, 'first');
  const second = append(log, first, 2, 'second');
  const third = append(log, second, 3, 'third');
  const count = (): number => [...log.read(0, 1, 0)].length;
  assert.equal(count(), 3);
  append(log, second, 4, 'third');
  assert.equal(count(), 2);
  append(log, second, 3, 'third', 2);
  assert.equal(count(), 2);
  append(log, second, 3, 'third');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(20), 0, 20, 4096 + third - 20);
  closeSync(file);
  assert.equal(count(), 2);
});

test('a gap before a record that says it was on disk is damage, and not an end', (t) => {
  const { log } = openLog(t);
  const first = append(log, 0, 1, 'first');
  const second = append(log, first, 2, 'second', 1, 1);
  append(log, second, 3, 'third', 1, 2);
  log.erase(first);
  assert.throws(() => [...log.read(0, 1, 0)], /commits 2 to 2, which were acknowledged, some are missing/);
});

test('a log that was cut, or belongs to another store or time, is not read', (t) => {
  const { path } = openLog(t);
  const title = { store: '00'.repeat(16), opening: 1, previous: 0, progress: { sequence: 0, position: 0 } };
  const open = (other: object): void =>
    WriteAheadLog.open(dirname(path), {
      ...title,
      logged: true,
      boot: '',
      metaPages: Buffer.alloc(0),
      ...other,
    })?.close();
  open({});
  assert.throws(() => open({ store: '11'.repeat(16) }), /belongs to another store/);
  assert.throws(() => open({ opening: 2 }), /is of another time/);
  truncateSync(path, CAPACITY);
  assert.throws(() => open({}), /has 8388608 bytes where a log has 8392704/);
});

test('a record that is taken back is not read', (t) => {
  const { log } = openLog(t);
  const first = append(log, 0, 1, 'first');
  append(log, first, 2, 'second');
  log.erase(first);
  assert.equal([...log.read(0, 1, 0)].length, 1);
});

test('a record that is too large for the log says so, whatever comes after it', () => {
  recording.begin();
  for (let at = 0; at < 5; at++)
    recording.put('documents', Buffer.from(`key${at}`), Buffer.alloc(CAPACITY / 8));
  assert.equal(recording.tooLarge, true);
  recording.begin();
  assert.equal(recording.tooLarge, false);
});
