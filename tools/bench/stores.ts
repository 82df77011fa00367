/** The stores under measurement: embedded, and MongoDB where `MONGODB_URI` names a replica set. */
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

export interface Store {
  readonly name: 'embedded' | 'MongoDB';
  /** `providers.storage` of a config, for a set of data of that name. */
  config(data: string): { readonly use: string; readonly [key: string]: unknown };
  /** Removes what is kept outside of the folder. */
  drop(): Promise<void>;
}

export function stores(folder: string): Store[] {
  const embedded: Store = {
    name: 'embedded',
    config: (data) => ({ use: 'embedded', path: join(folder, data) }),
    drop: () => Promise.resolve(),
  };
  const url = process.env['MONGODB_URI'];
  return url === undefined ? [embedded] : [embedded, mongodb(url)];
}

function mongodb(url: string): Store {
  const databases = new Set<string>();
  return {
    name: 'MongoDB',
    config(data) {
      const database = `bench-${process.pid}-${data}`;
      databases.add(database);
      return { use: 'mongodb', url, database };
    },
    async drop() {
      const client = await new MongoClient(url).connect();
      for (const database of databases) await client.db(database).dropDatabase();
      await client.close();
    },
  };
}
