/** Another process on the same store: sets `n` of one row and ends. */
import { EmbeddedStore } from '../../../../../kernel/providers/storage/embedded/storage.js';
import { silentLog as log } from '../../../../support/silent-log.js';
import type { Row } from './open.js';

const [directory = '', id = '', n = ''] = process.argv.slice(2);
const history = { changes: 1000, bytes: 2 ** 20 };
const store = new EmbeddedStore({ directory, sync: false, history, cacheBytes: 0, clock: Date, log });
const rows = store.forPlugin('test').collection<Row>({
  name: 'rows',
  indexes: [{ keys: { owner: 1, n: 1 } }],
});
await rows.updateOne({ _id: id }, { $set: { n: Number(n) } });
await store.close();
