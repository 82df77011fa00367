/** A server's stand-in that is killed: writes without pause and says on stdout what was acknowledged. */
import { EmbeddedStore } from '../../../../../plugins/storage/embedded/storage.js';
import { silentLog as log } from '../../../../support/silent-log.js';
import type { Row } from '../open.js';
import { ROWS } from '../rows.js';

const [directory = '', name = ''] = process.argv.slice(2);
const history = { changes: 1000, bytes: 2 ** 20 };
const store = new EmbeddedStore({ directory, sync: true, history, cacheBytes: 2 ** 20, clock: Date, log });
const storage = store.forPlugin('test');
const rows = storage.collection<Row>(ROWS);

const acknowledge = (line: string): void => void process.stdout.write(`${line}\n`);

/** Each lane inserts, changes and deletes its own rows; every fifth step is a transaction over two of them. */
async function lane(number: number): Promise<never> {
  for (let step = 0; ; step++) {
    const id = `${name}.${number}.${step}`;
    await rows.insertOne({ _id: id, writer: name, n: step, key: id, tags: [step % 3, 'all'] });
    acknowledge(`put ${id} ${step}`);
    await rows.updateOne({ _id: id }, { $inc: { n: 1000 }, $push: { tags: 'more' } });
    acknowledge(`put ${id} ${step + 1000}`);
    if (step % 5 === 4) {
      const [a, b] = [`${name}.${number}.${step - 1}`, id];
      await storage.transaction(async (tx) => {
        await rows.with(tx).deleteOne({ _id: a });
        await rows.with(tx).updateOne({ _id: b }, { $set: { n: -1, pair: a } });
      });
      acknowledge(`delete ${a}`);
      acknowledge(`put ${b} -1`);
    }
  }
}

await Promise.all([lane(0), lane(1), lane(2)]);
