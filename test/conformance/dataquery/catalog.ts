/**
 * The cases' catalog, completed by what it leaves out: functions and domains that are SQL there, and that the keys
 * of a partition belong to the partitioned table.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as domains from './domains.js';

interface CatalogFile {
  schemas: Record<
    string,
    {
      domains?: Record<string, unknown>;
      functions: Record<string, unknown>;
      relations: Record<
        string,
        { columns: Record<string, string | { type: string }>; foreignKeys?: Record<string, unknown> }
      >;
    }
  >;
}

/** The description of the database from which the catalog was made. */
interface UpstreamSchema {
  tables: Record<
    string,
    {
      schema: string;
      name: string;
      columns: { name: string; type: string; domainOver?: string }[];
      foreignKeys?: { name: string; inheritedFromPartitionParent?: boolean }[];
    }
  >;
}

const module = fileURLToPath(new URL('./functions.js', import.meta.url));
const domainModule = fileURLToPath(new URL('./domains.js', import.meta.url));

/** Writes the completed catalog of the folder into a new one and returns its path. */
export async function completeCatalog(folder: string): Promise<string> {
  const catalog = JSON.parse(await readFile(join(folder, 'catalog.json'), 'utf8')) as CatalogFile;
  const upstream = JSON.parse(
    await readFile(join(folder, 'extra', 'upstream-schema.json'), 'utf8'),
  ) as UpstreamSchema;
  for (const { schema, name, columns, foreignKeys = [] } of Object.values(upstream.tables)) {
    for (const { name: column, type, domainOver } of columns) {
      if (domainOver !== undefined && Object.hasOwn(domains, type)) {
        useDomain(catalog, schema, name, column, type, domainOver);
      }
    }
    const keys = catalog.schemas[schema]?.relations[name]?.foreignKeys ?? {};
    for (const key of foreignKeys) if (key.inheritedFromPartitionParent === true) delete keys[key.name];
  }
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

function useDomain(
  catalog: CatalogFile,
  schema: string,
  relation: string,
  column: string,
  domain: string,
  over: string,
): void {
  const found = catalog.schemas[schema];
  const columns = found?.relations[relation]?.columns;
  const declared = columns?.[column];
  if (found === undefined || columns === undefined || declared === undefined) return;
  (found.domains ??= {})[domain] = { over, module: domainModule };
  columns[column] = typeof declared === 'string' ? domain : { ...declared, type: domain };
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
