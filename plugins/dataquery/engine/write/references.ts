/** Foreign keys: a referenced row must exist, and may not silently be deleted. */
import type { Catalog, Column, ForeignKey, Relation } from '../catalog/model.js';
import { relationOf } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { changedRow } from './draft.js';
import { inParts, removeRows, replaceRows, type Metered } from './metered.js';
import type { RowValues } from './row-constraints.js';
import { columnsOf, keyDetails, keyOf, keysFilter, keyText } from './unique.js';

/** A foreign key with its two ends. */
export interface Reference {
  readonly key: ForeignKey;
  readonly child: Relation;
  readonly parent: Relation;
  /** The child's columns, and the parent's that they refer to. */
  readonly columns: readonly Column[];
  readonly parentColumns: readonly Column[];
}

export interface References {
  /** By the child. */
  readonly from: (table: Relation) => readonly Reference[];
  /** By the parent. */
  readonly to: (table: Relation) => readonly Reference[];
}

/** The foreign keys of the catalog's tables; those declared by a view say how to embed and are not enforced. */
export function references(catalog: Catalog): References {
  const all = [...catalog.schemas.values()]
    .flatMap(({ relations }) => [...relations.values()])
    .filter(({ kind }) => kind === 'table')
    .flatMap((child) => child.foreignKeys.flatMap((key) => reference(catalog, child, key) ?? []));
  const byChild = new Map<Relation, Reference[]>();
  const byParent = new Map<Relation, Reference[]>();
  for (const ref of all) {
    byChild.set(ref.child, [...(byChild.get(ref.child) ?? []), ref]);
    byParent.set(ref.parent, [...(byParent.get(ref.parent) ?? []), ref]);
  }
  return { from: (table) => byChild.get(table) ?? [], to: (table) => byParent.get(table) ?? [] };
}

function reference(catalog: Catalog, child: Relation, key: ForeignKey): Reference | undefined {
  const parent = relationOf(catalog, key.references);
  if (parent === undefined || parent.kind !== 'table') return undefined;
  return {
    key,
    child,
    parent,
    columns: columnsOf(child, key.columns),
    parentColumns: columnsOf(parent, key.references.columns),
  };
}

/** A row to be stored; `before` is the existing one, if any. */
export interface Referring {
  readonly before?: RowValues;
  readonly after: RowValues;
}

/**
 * Throws 23503 if a row refers to nothing. A key with a null is allowed to refer to nothing (MATCH SIMPLE), and an
 * unchanged key was checked before.
 *
 * The referenced rows are written: a transaction sees a snapshot, and only because both write the row does a concurrent
 * delete conflict with this one. The number of written rows says whether all exist.
 */
export async function checkParents(
  { collection }: Pick<Metered, 'collection'>,
  refs: readonly Reference[],
  rows: readonly Referring[],
): Promise<void> {
  for (const ref of refs) {
    const wanted = newKeys(ref, rows);
    if (wanted.size === 0) continue;
    const parents = collection(ref.parent);
    for (const keys of inParts([...wanted.values()])) {
      const filter = keysFilter(ref.parentColumns, keys);
      const { matched } = await parents.updateMany(filter, { $inc: { [LOCK]: 1 } });
      const found = matched < keys.length ? await parents.find(filter).toArray() : undefined;
      for (const row of found ?? []) {
        const key = keyOf(ref.parentColumns, row);
        if (key !== undefined) wanted.delete(keyText(ref.parentColumns, key));
      }
      if (found === undefined) for (const key of keys) wanted.delete(keyText(ref.parentColumns, key));
    }
    const [missing] = wanted.values();
    if (missing === undefined) continue;
    throw errors['23503']({
      values: { relation: ref.child.name, constraint: ref.key.name },
      details: `Key ${keyDetails(ref.columns, missing)} is not present in table "${ref.parent.name}".`,
    });
  }
}

/** The keys that rows newly refer to, by their text. */
function newKeys({ columns }: Reference, rows: readonly Referring[]): Map<string, readonly Stored[]> {
  const keys = new Map<string, readonly Stored[]>();
  for (const { before, after } of rows) {
    const key = keyOf(columns, after);
    if (key === undefined) continue;
    const text = keyText(columns, key);
    const old = before === undefined ? undefined : keyOf(columns, before);
    if (old === undefined || keyText(columns, old) !== text) keys.set(text, key);
  }
  return keys;
}

/** A member that no column has: fields never start with `_`. */
const LOCK = '_lock';

/** One changed or deleted row; `after` is undefined if it was deleted. */
export interface RowChange {
  readonly before: StoredRow;
  readonly after: StoredRow | undefined;
}

/**
 * Applies foreign key actions to the rows that refer to changed keys: cascade, set null or default, or refuse (23503).
 * `no action` is checked last, as another cascade may have deleted the row.
 */
export class ReferentialActions {
  readonly #write: Metered;
  readonly #references: References;
  readonly #deferred: { ref: Reference; keys: Map<string, readonly Stored[]> }[] = [];

  constructor(write: Metered & { readonly references: References }) {
    this.#write = write;
    this.#references = write.references;
  }

  async apply(table: Relation, changes: readonly RowChange[]): Promise<void> {
    for (const ref of this.#references.to(table)) {
      await this.#applyOne(
        ref,
        changes.filter(({ after }) => after === undefined),
        ref.key.onDelete,
      );
      await this.#applyOne(
        ref,
        changes.filter(({ after }) => after !== undefined),
        ref.key.onUpdate,
      );
    }
  }

  /** Throws 23503 if a row still refers to a deleted key. */
  async finish(): Promise<void> {
    for (const { ref, keys } of this.#deferred) {
      // Another row may have taken over the key in the same request.
      const parents = await this.#write
        .collection(ref.parent)
        .find(keysFilter(ref.parentColumns, [...keys.values()]))
        .toArray();
      for (const row of parents) {
        const key = keyOf(ref.parentColumns, row);
        if (key !== undefined) keys.delete(keyText(ref.parentColumns, key));
      }
      if (keys.size > 0) await this.#refuse(ref, [...keys.values()]);
    }
  }

  async #applyOne(
    ref: Reference,
    changes: readonly RowChange[],
    action: ForeignKey['onDelete'],
  ): Promise<void> {
    const gone = new Map<string, { key: readonly Stored[]; after: StoredRow | undefined }>();
    for (const { before, after } of changes) {
      const key = keyOf(ref.parentColumns, before);
      const next = after === undefined ? undefined : keyOf(ref.parentColumns, after);
      if (key === undefined) continue;
      const text = keyText(ref.parentColumns, key);
      if (next === undefined || keyText(ref.parentColumns, next) !== text) gone.set(text, { key, after });
    }
    if (gone.size === 0) return;
    const keys = [...gone.values()].map(({ key }) => key);
    if (action === 'no action') {
      this.#deferred.push({ ref, keys: new Map([...gone].map(([text, { key }]) => [text, key])) });
      return;
    }
    if (action === 'restrict') {
      await this.#refuse(ref, keys);
      return;
    }
    const children = await this.#children(ref, keys);
    if (children.length === 0) return;
    if (action === 'cascade' && changes[0]?.after === undefined) {
      await removeRows(this.#write, ref.child, children);
      await this.apply(
        ref.child,
        children.map((before) => ({ before, after: undefined })),
      );
      return;
    }
    await this.#rewrite(
      ref,
      children.map((before) => {
        const key = keyOf(ref.columns, before) ?? [];
        const parent = gone.get(keyText(ref.columns, key))?.after;
        const values = ref.columns.map((column, at): [Column, Stored | null] => [
          column,
          action === 'cascade'
            ? (parent?.[ref.parentColumns[at]?.field ?? ''] ?? null)
            : fallback(column, action),
        ]);
        return { before, after: changedRow(before, new Map(values)) };
      }),
    );
  }

  /** At most one more than may be written: the write refuses them. */
  async #children(ref: Reference, keys: readonly (readonly Stored[])[]): Promise<StoredRow[]> {
    const { collection, budget } = this.#write;
    const children: StoredRow[] = [];
    for (const part of inParts(keys)) {
      const limit = budget.writesLeft + 1 - children.length;
      if (limit <= 0) break;
      children.push(
        ...(await collection(ref.child).find(keysFilter(ref.columns, part), { limit }).toArray()),
      );
    }
    return children;
  }

  async #rewrite(ref: Reference, changes: readonly { before: StoredRow; after: StoredRow }[]): Promise<void> {
    for (const { after } of changes) {
      for (const column of ref.columns) {
        if (column.required && (after[column.field] ?? null) === null) {
          throw errors['23502']({ values: { column: column.name, relation: ref.child.name } });
        }
      }
    }
    await replaceRows(this.#write, ref.child, changes);
    // An unchanged key may be the deleted one: the default of a column, for one.
    const rewritten = changes.map(({ after }) => ({ after }));
    await checkParents(this.#write, [ref], rewritten);
    await this.apply(ref.child, changes);
  }

  async #refuse(ref: Reference, keys: readonly (readonly Stored[])[]): Promise<void> {
    const child = await this.#write.collection(ref.child).findOne(keysFilter(ref.columns, keys));
    const key = child === null ? undefined : keyOf(ref.columns, child);
    if (key === undefined) return;
    const { parent, child: table, parentColumns } = ref;
    throw errors['23503']({
      message: `update or delete on table "${parent.name}" violates foreign key constraint "${ref.key.name}" on table "${table.name}"`,
      details: `Key ${keyDetails(parentColumns, key)} is still referenced from table "${table.name}".`,
    });
  }
}

function fallback(column: Column, action: 'set null' | 'set default' | 'cascade'): Stored | null {
  return action === 'set default' && column.default?.kind === 'value' ? column.default.value : null;
}
