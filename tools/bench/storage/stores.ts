/** The stores by name, each opened in the process that asks for it. */
import { join } from 'node:path';
import { driver, nedb, sqlite } from './peers.js';
import { plugboard } from './plugboard.js';
import type { Subject } from './subject.js';

export const STORES: Readonly<Record<string, (folder: string, url: string) => Promise<Subject>>> = {
  embedded: (folder) => plugboard({ use: 'embedded', path: join(folder, 'embedded') }),
  SQLite: sqlite,
  nedb,
  'MongoDB adapter': (_, url) => plugboard({ use: 'mongodb', url, database: `bench-${process.pid}` }),
  'raw driver': (_, url) => driver(url),
};
