/** The stores under measurement: embedded, and MongoDB where `MONGODB_URI` names a replica set; or BENCH_STORES of them. */
import { basename, dirname } from 'node:path';
import { MongoClient } from 'mongodb';

export interface Store {
  readonly name: string;
  /** Of the MongoDB. */
  readonly url?: string;
  /** `providers.storage` of a config that keeps its data in the folder, or in a database of that name. */
  config(folder: string): object;
  /** Removes what is kept outside of the folders. */
  drop(): Promise<void>;
}

export function stores(): Store[] {
  const url = process.env['MONGODB_URI'];
  const embedded: Store = {
    name: 'embedded',
    config: (folder) => ({ use: 'embedded', path: folder }),
    drop: () => Promise.resolve(),
  };
  const all = url === undefined ? [embedded] : [embedded, mongodb(url)];
  const wanted = process.env['BENCH_STORES']?.split(',');
  return all.filter(({ name }) => wanted?.includes(name) ?? true);
}

function mongodb(url: string): Store {
  const databases = new Set<string>();
  return {
    name: 'MongoDB',
    url,
    config(folder) {
      const database = `${basename(dirname(folder))}_${basename(folder)}`.toLowerCase();
      databases.add(database);
      return { use: 'mongodb', url, database };
    },
    async drop() {
      const client = await new MongoClient(url).connect();
      for (const database of databases) await client.db(database).dropDatabase();
      await client.close();
      databases.clear();
    },
  };
}
