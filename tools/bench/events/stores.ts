/** The stores under measurement: embedded, and MongoDB where `MONGODB_URI` names a replica set. */
import { MongoClient } from 'mongodb';

export interface Store {
  readonly name: string;
  /** `providers.storage` of a config, on a folder or database of its own. */
  config(folder: string): Promise<object>;
  drop?(): Promise<void>;
}

export function stores(): Store[] {
  const url = process.env['MONGODB_URI'];
  const embedded: Store = {
    name: 'embedded',
    config: (folder) => Promise.resolve({ use: 'embedded', path: folder }),
  };
  if (url === undefined) return [embedded];
  const database = `bench_events_${process.pid}`;
  const drop = async (): Promise<void> => {
    const client = await new MongoClient(url).connect();
    await client.db(database).dropDatabase();
    await client.close();
  };
  return [
    embedded,
    {
      name: 'MongoDB',
      drop,
      async config() {
        await drop();
        return { use: 'mongodb', url, database };
      },
    },
  ];
}
