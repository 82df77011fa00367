/** What stored rows hold beyond the catalog: columns and relations that are no longer declared. Dropped when told only. */
import { nextTurn } from 'plugboard/sdk';
import { collectionName } from '../catalog/naming.js';
import { CatalogError } from '../catalog/read.js';
import { relationOf, type Catalog } from '../catalog/model.js';
import type { RowStore } from '../rows/row-store.js';
import { CONFIGURATION_NAMES } from '../search/configuration.js';
import { wordsMember } from '../words/word-index.js';
import type { Retired } from './fields.js';

/** A column, or with `field` undefined a whole relation. */
export interface Kept {
  /** `public.films.note`, or `public.films`. */
  readonly name: string;
  readonly key: string;
  readonly collection: string;
  readonly column: string | undefined;
  readonly field: string | undefined;
}

/** Rows of one write. */
const BATCH = 500;

export function keptOf({ catalog, retired }: { catalog: Catalog; retired: Retired }): Kept[] {
  return Object.entries(retired).flatMap(([key, columns]): Kept[] => {
    const names = Object.entries(columns);
    if (names.length === 0) return [];
    const [schema, relation] = partsOf(key, catalog);
    const collection = collectionName(schema, relation);
    if (relationOf(catalog, { schema, relation })?.collection === undefined)
      return [{ name: key, key, collection, column: undefined, field: undefined }];
    return names.map(([column, { field }]) => ({ name: `${key}.${column}`, key, collection, column, field }));
  });
}

/** Either part of `schema.relation` may hold dots: the one that the catalog has, or else the first. */
function partsOf(key: string, catalog: Catalog): [schema: string, relation: string] {
  const schema = [...catalog.schemas.keys()].find((name) => key.startsWith(`${name}.`)) ?? key.split('.')[0]!;
  return [schema, key.slice(schema.length + 1)];
}

/** `films.note` is one of the first exposed schema. */
export function keptNamed(kept: readonly Kept[], { exposed }: Catalog, name: string): Kept | undefined {
  return kept.find((one) => one.name === name) ?? kept.find((one) => one.name === `${exposed[0]}.${name}`);
}

/** Throws a CatalogError for a name of which nothing is kept. */
export function assertKept(kept: readonly Kept[], catalog: Catalog, names: readonly string[]): void {
  const unknown = names.find((name) => keptNamed(kept, catalog, name) === undefined);
  if (unknown === undefined) return;
  const all =
    kept.length === 0 ? 'nothing is kept' : `what is kept: ${kept.map(({ name }) => name).join(', ')}`;
  throw new CatalogError(
    `"${unknown}" cannot be dropped: it is declared, or nothing of it is stored (${all})`,
  );
}

/** Deletes the values from the rows, or the rows. May be run again. */
export async function dropKept(
  store: RowStore,
  { collection, field }: Kept,
  signal: AbortSignal,
  dropped: (rows: number) => void,
): Promise<void> {
  const rows = store.existing(collection);
  for (const member of field === undefined ? [undefined] : membersOf(field)) {
    const filter = member === undefined ? {} : { [member]: { $exists: true } };
    for (;;) {
      signal.throwIfAborted();
      const found = await rows.find(filter, { limit: BATCH, projection: { _id: 1 } }).toArray();
      if (found.length === 0) break;
      const ids = { _id: { $in: found.map(({ _id }) => _id) } };
      if (member === undefined) await rows.deleteMany(ids);
      else await rows.updateMany(ids, { $unset: { [member]: true } });
      dropped(found.length);
      await nextTurn();
    }
  }
}

/** A column that was searched has its words in another member. */
function membersOf(field: string): string[] {
  return [field, ...CONFIGURATION_NAMES.flatMap((search) => wordsMember({ search, field }) ?? [])];
}

/** What is retired without these. */
export function withoutKept(retired: Retired, dropped: readonly Kept[]): Retired {
  return Object.fromEntries(
    Object.entries(retired).flatMap(([key, columns]) => {
      const own = dropped.filter((one) => one.key === key);
      if (own.some(({ column }) => column === undefined)) return [];
      const left = Object.entries(columns).filter(([name]) => !own.some(({ column }) => column === name));
      return left.length === 0 ? [] : [[key, Object.fromEntries(left)]];
    }),
  );
}
