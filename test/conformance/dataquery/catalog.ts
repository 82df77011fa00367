/** The cases' catalog, with the functions that it leaves out because their bodies are SQL. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface CatalogFile {
  schemas: Record<string, { functions: Record<string, unknown> }>;
}

const module = fileURLToPath(new URL('./functions.js', import.meta.url));

/** Writes the completed catalog into a new folder and returns its path. */
export async function completeCatalog(file: string): Promise<string> {
  const catalog = JSON.parse(await readFile(file, 'utf8')) as CatalogFile;
  Object.assign(catalog.schemas['test']!.functions, {
    computed_overload: [computedColumn('items'), computedColumn('items2')],
    always_true: computedColumn('items'),
    // They take the place of the detected relationships, and find nothing.
    designers: nothing('videogames', 'designers'),
    videogames: nothing('designers', 'videogames'),
  });
  const path = join(await mkdtemp(join(tmpdir(), 'plugboard-catalog-')), 'catalog.json');
  await writeFile(path, JSON.stringify(catalog));
  return path;
}

function computedColumn(relation: string): object {
  return { args: { row: { row: relation } }, returns: { type: 'boolean' }, module };
}

function nothing(origin: string, target: string): object {
  return {
    args: { row: { row: origin } },
    returns: { setof: target, ...(target === 'designers' ? { rows: 1 } : {}) },
    from: target,
    where: { id: 'is.null' },
  };
}
