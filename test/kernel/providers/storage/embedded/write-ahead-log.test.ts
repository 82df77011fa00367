/** The log by itself: a file that is used round and round, and what is left of it after a crash. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  CAPACITY,
  LOG,
  Recording,
  WriteAheadLog,
} from '../../../../../kernel/providers/storage/embedded/lmdb/write-ahead-log.js';

function openLog(t: TestContext): { log: WriteAheadLog; path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-log-'));
  const log = new WriteAheadLog(directory);
  t.after(() => {
    log.close();
    rmSync(directory, { recursive: true });
  });
  return { log, path: join(directory, LOG) };
}

const recording = new Recording();

/** Writes one record behind the position; returns where it ends. */
function append(log: WriteAheadLog, position: number, sequence: number, value: string, epoch = 1): number {
  recording.begin();
  recording.put('documents', Buffer.from(`key${sequence}`), Buffer.from(value));
  recording.remove('indexes', Buffer.from('gone'));
  recording.clear('changes');
  const record = recording.finish(epoch, sequence);
  const start = log.place(position, record.length);
  log.write(start, record);
  return start + record.length;
}

test('a record gives its operations back', (t) => {
  const { log } = openLog(t);
  append(log, 0, 8, 'value');
  const [record] = [...log.read(0, 1, 7)];
  assert.deepEqual(
    [...record!.operations],
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
  assert.equal(statSync(path).size, CAPACITY);
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
  truncateSync(path, third - 20);
  assert.equal(count(), 2);
});

test('a record that is taken back is not read', (t) => {
  const { log } = openLog(t);
  const first = append(log, 0, 1, 'first');
  append(log, first, 2, 'second');
  log.erase(first);
  assert.equal([...log.read(0, 1, 0)].length, 1);
});

test('a record that is too large for the log says so, whatever comes behind', () => {
  recording.begin();
  for (let at = 0; at < 5; at++)
    recording.put('documents', Buffer.from(`key${at}`), Buffer.alloc(CAPACITY / 8));
  assert.equal(recording.tooLarge, true);
  recording.begin();
  assert.equal(recording.tooLarge, false);
});
