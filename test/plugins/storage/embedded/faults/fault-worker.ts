/** Does one thing to a store and is killed meanwhile: `fault-worker.js TASK FOLDER OTHER-FOLDER`. */
import { isUserError } from 'plugboard/sdk';
import { exportAll } from '../../../../../plugins/storage/transfer/export.js';
import { importAll } from '../../../../../plugins/storage/transfer/import.js';
import { ProgressLine } from '../../../../../plugins/storage/transfer/progress-line.js';
import { EmbeddedStore } from '../../../../../plugins/storage/embedded/storage.js';
import { repair } from '../../../../../plugins/storage/embedded/upkeep/repair.js';
import { wholeStore } from '../../../../../plugins/storage/embedded/whole-store.js';
import { silentLog as log } from '../../../../support/silent-log.js';
import { INDEXED, ROWS } from '../rows.js';

const REFUSED = 3;
const [task = '', directory = '', other = ''] = process.argv.slice(2);
const options = {
  progress: new ProgressLine(process.stderr),
  signal: new AbortController().signal,
};

/** The kill may come from here on. */
const begin = (): void => void process.stdout.write('begin\n');

const TASKS: Readonly<Record<string, (store: EmbeddedStore) => unknown>> = {
  backup: (store) => store.backup(other),
  restore: (store) => store.restore(other),
  export: (store) => exportAll(wholeStore(store), other, options),
  import: (store) => importAll(wholeStore(store), other, { ...options, replace: true, hasSealKey: false }),
  index: async (store) => {
    store.forPlugin('test').collection(INDEXED);
    await store.ready();
  },
  open: () => {},
};

try {
  if (task === 'repair') {
    begin();
    await repair(directory, new Date());
    process.stdout.write('end\n');
    process.exit();
  }
  if (task === 'open') begin();
  const history = { changes: 1000, bytes: 2 ** 20 };
  const store = new EmbeddedStore({ directory, sync: true, history, cacheBytes: 0, clock: Date, log });
  await store.settleDoubts();
  await store.tidy();
  if (task !== 'open') begin();
  await TASKS[task]?.(store);
  if (task === 'open') {
    const rows = await store
      .forPlugin('test')
      .collection<{ _id: string; n?: number }>(ROWS)
      .find({})
      .toArray();
    process.stdout.write(`${JSON.stringify(Object.fromEntries(rows.map(({ _id, n = 0 }) => [_id, n])))}\n`);
  }
  await store.close();
  process.stdout.write('end\n');
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = isUserError(error) ? REFUSED : 1;
}
