/** `docs/stored-formats.md` lists all that is stored: a collection or a file that it lacks fails here. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { builtins } from '../../plugins/index.js';
import { wholeStore } from '../../plugins/storage/embedded/whole-store.js';
import { EmbeddedStore } from '../../plugins/storage/embedded/storage.js';
import { builtIn } from '../support/built-in.js';
import { root } from '../support/fixtures.js';
import { silentLog } from '../support/silent-log.js';

const PAGE = await readFile(join(root, 'docs/stored-formats.md'), 'utf8');

/** The names in the first column of the tables. */
const LISTED = new Set(
  Array.from(PAGE.matchAll(/^\| (`.+?) +\|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  ).flat(),
);

/** Names with a part of their own: the relations of a catalog, and the state files of an import. */
const PATTERNS = [/^dataquery\/rows_/, /^import-[0-9a-f]+\.json$/];

const unlisted = (names: readonly string[]): string[] =>
  names.filter((name) => !LISTED.has(name) && !PATTERNS.some((pattern) => pattern.test(name)));

test('every collection that a built-in plugin declares, and every file of the store, is listed', async () => {
  const path = await mkdtemp(join(tmpdir(), 'plugboard-formats-'));
  try {
    const plugins = await Promise.all(
      Object.keys(builtins.plugins).map(async (id) => ({
        id,
        plugin: await builtIn(id),
        config: configOf(id),
      })),
    );
    const server = await bootTest({
      plugins,
      storage: { use: 'embedded', path },
      baseDir: join(root, 'config'),
    });
    const whileOpen = await readdir(path);
    await server.stop();
    const store = new EmbeddedStore({
      directory: path,
      sync: false,
      history: { changes: 1, bytes: 1 },
      cacheBytes: 0,
      clock: Date,
      log: silentLog,
    });
    const collections = await wholeStore(store).collections();
    await store.close();
    assert.ok(collections.length > 30, `${collections.length} collections`);
    assert.deepEqual(unlisted(collections), []);
    assert.deepEqual(unlisted(whileOpen), []);
    const stored = new Set(collections);
    const gone = [...LISTED].filter((name) => name.includes('/') && !stored.has(name) && !WITHOUT.has(name));
    assert.deepEqual(gone, [], 'listed, and declared by no plugin');
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});

test('a collection that the page lacks is found', () => {
  assert.deepEqual(unlisted(['memory/entries', 'memory/surprises', 'seal.key', 'notes.txt']), [
    'memory/surprises',
    'notes.txt',
  ]);
});

/** Made when a version is raised, and on MongoDB alone. */
const WITHOUT = new Set(['storage/versions', 'accounts/places']);

/** What a plugin declares only where it is asked for is asked for. */
const CONFIGS: Readonly<Record<string, object>> = {
  dataquery: { catalog: 'demo/cinema.yaml' },
  router: { cache: {}, texts: {} },
};

function configOf(id: string): object {
  return CONFIGS[id] ?? {};
}
