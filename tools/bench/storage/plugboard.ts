/** The storage port, as a plugin gets it: embedded, or the MongoDB adapter. */
import { definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import type { Row, Subject } from './subject.js';

const keeper = definePlugin({
  name: 'keeper',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE },
  setup: () => ({}),
});

export async function plugboard(storage: { use: string; [key: string]: unknown }): Promise<Subject> {
  const server = await bootTest({ plugins: [{ plugin: keeper }], storage });
  const rows = server.service(STORAGE).collection<Row>({
    name: 'rows',
    indexes: [{ keys: { owner: 1, createdAt: -1 } }, { keys: { kind: 1, n: 1 } }],
  });
  return {
    insertOne: (row) => rows.insertOne(row),
    insertMany: (all) => rows.insertMany(all),
    byId: (id) => rows.findOne({ _id: id }),
    byIndex: (kind, n) => rows.findOne({ kind, n }),
    page: (owner) => rows.find({ owner }, { sort: { createdAt: -1 }, limit: 20 }).toArray(),
    list: (kind, n) => rows.find({ kind, n: { $gte: n } }, { sort: { n: 1 }, limit: 50 }).toArray(),
    updateById: (id) => rows.updateOne({ _id: id }, { $inc: { n: 0.5 } }),
    scan: () => rows.find({}).toArray(),
    close: () => server.stop(),
  };
}
