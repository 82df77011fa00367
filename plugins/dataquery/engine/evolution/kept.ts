/** Values that stored rows keep beyond the catalog: of undeclared columns and relations, and of earlier types. */
import { nextTurn } from 'plugboard/sdk';
import { collectionName } from '../catalog/naming.js';
import { CatalogError } from '../catalog/read.js';
import type { Catalog } from '../catalog/model.js';
import type { RowStore } from '../rows/row-store.js';
import { CONFIGURATION_NAMES } from '../search/configuration.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { knownType } from '../values/types.js';
import { wordsMember } from '../words/word-index.js';
import type { Reserved } from './identify.js';
import { relationKey, type KnownColumn, type KnownRelation, type Ledger, type Member } from './ledger.js';

/** A column, the values of a column's earlier type, or with `members` undefined a whole relation. */
export interface Kept {
  /** `public.films.note`, `public.films.year:text`, or `public.films`. */
  readonly name: string;
  readonly collection: string;
  readonly members: readonly Member[] | undefined;
  readonly droppedAt: Date | null;
}

/** Rows of one write. */
const BATCH = 500;
const SAMPLES = 3;
const LONGEST_SAMPLE = 40;

export function keptOf(ledger: Ledger): Kept[] {
  return ledger.flatMap((relation): Kept[] => {
    const collection = collectionName(relation.schema, relation.id);
    if (!relation.declared) {
      const { droppedAt } = relation;
      return [{ name: keptName(relation, ledger), collection, members: undefined, droppedAt }];
    }
    return relation.columns.flatMap((column): Kept[] => {
      const name = `${relationKey(relation)}.${keptName(column, relation.columns)}`;
      const { field, type, earlier, declared, droppedAt } = column;
      if (!declared) return [{ name, collection, members: [{ field, type }, ...earlier], droppedAt }];
      return earlier.map((one) => ({
        name: `${name}:${one.type}`,
        collection,
        members: [one],
        droppedAt: one.droppedAt,
      }));
    });
  });
}

/** Its last name, or its id if something else has that name. */
function keptName<E extends KnownColumn | KnownRelation>(one: E, all: readonly E[]): string {
  const isTaken = all.some((other) => other !== one && nameOf(other) === nameOf(one));
  return isTaken && !one.declared ? nameOf({ ...one, name: one.id }) : nameOf(one);
}

function nameOf(one: KnownColumn | KnownRelation): string {
  return 'schema' in one ? relationKey(one) : one.name;
}

/** `films.note` is in the first exposed schema. */
export function keptNamed(kept: readonly Kept[], { exposed }: Catalog, name: string): Kept | undefined {
  return kept.find((one) => one.name === name) ?? kept.find((one) => one.name === `${exposed[0]}.${name}`);
}

/** Throws a CatalogError for a name without kept values. */
export function assertKept(kept: readonly Kept[], catalog: Catalog, names: readonly string[]): void {
  const unknown = names.find((name) => keptNamed(kept, catalog, name) === undefined);
  if (unknown === undefined) return;
  const all =
    kept.length === 0 ? 'nothing is kept' : `what is kept: ${kept.map(({ name }) => name).join(', ')}`;
  throw new CatalogError(
    `"${unknown}" cannot be dropped: it is declared, or nothing of it is stored (${all})`,
  );
}

/** `public.films.note (2 values: "x", "y")`. */
export async function describeKept(store: RowStore, { name, collection, members }: Kept): Promise<string> {
  const rows = store.existing(collection);
  const member = members?.[0];
  if (member === undefined) return `${name} (${counted(await rows.countDocuments({}), 'row')})`;
  const filter = { [member.field]: { $exists: true } };
  const count = await rows.countDocuments(filter);
  const found = await rows.find(filter, { limit: SAMPLES, projection: { [member.field]: 1 } }).toArray();
  const samples = found.map((row: StoredRow) => sampleOf(row[member.field]!, member.type));
  const more = count > samples.length ? ', ...' : '';
  return `${name} (${counted(count, 'value')}${count === 0 ? '' : `: ${samples.join(', ')}${more}`})`;
}

function sampleOf(value: Stored, type: string): string {
  const text = knownType(type)?.toText(value) ?? String(value);
  return JSON.stringify(text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}...` : text);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Marks these as dropped. */
export function withDropped(ledger: Ledger, dropped: readonly Kept[], droppedAt: Date): Ledger {
  const has = <E>(one: E, isSame: (kept: Kept) => boolean): E =>
    dropped.some(isSame) ? { ...one, droppedAt } : one;
  return ledger.map((relation) => {
    const of = dropped.filter(
      ({ collection }) => collection === collectionName(relation.schema, relation.id),
    );
    const isOf = (field: string) => (kept: Kept) => of.includes(kept) && kept.members?.[0]?.field === field;
    const columns = relation.columns.map((column) => ({
      ...has(column, isOf(column.field)),
      earlier: column.earlier.map((one) => has(one, isOf(one.field))),
    }));
    return { ...has(relation, (kept) => of.includes(kept) && kept.members === undefined), columns };
  });
}

/** Splits off what was dropped before a moment. */
export function splitDropped(
  ledger: Ledger,
  until: Date,
): { readonly ledger: Ledger; readonly due: readonly Reserved[] } {
  const isDue = ({ droppedAt }: Pick<Kept, 'droppedAt'>): boolean => droppedAt !== null && droppedAt <= until;
  const due = keptOf(ledger)
    .filter(isDue)
    .flatMap(({ collection, members = [{ field: null }] }): Reserved[] =>
      members.map(({ field }) => ({ collection, field })),
    );
  const left = ledger
    .filter((relation) => relation.declared || !isDue(relation))
    .map((relation) => ({
      ...relation,
      columns: relation.columns
        .filter((column) => column.declared || !isDue(column))
        .map((column) => ({ ...column, earlier: column.earlier.filter((one) => !isDue(one)) })),
    }));
  return { ledger: left, due };
}

/** Deletes the values from the rows, or the rows. May be repeated. */
export async function deleteReserved(
  store: RowStore,
  { collection, field }: Reserved,
  signal: AbortSignal,
  deleted: (rows: number) => void,
): Promise<void> {
  const rows = store.existing(collection);
  const members = field === null ? [] : membersOf(field);
  const filter = field === null ? {} : { $or: members.map((member) => ({ [member]: { $exists: true } })) };
  for (;;) {
    signal.throwIfAborted();
    const found = await rows.find(filter, { limit: BATCH, projection: { _id: 1 } }).toArray();
    if (found.length === 0) return;
    const ids = { _id: { $in: found.map(({ _id }) => _id) } };
    if (field === null) await rows.deleteMany(ids);
    else await rows.updateMany(ids, { $unset: Object.fromEntries(members.map((member) => [member, true])) });
    deleted(found.length);
    await nextTurn();
  }
}

/** A searched column has its words in another member. */
function membersOf(field: string): string[] {
  return [field, ...CONFIGURATION_NAMES.flatMap((search) => wordsMember({ search, field }) ?? [])];
}
