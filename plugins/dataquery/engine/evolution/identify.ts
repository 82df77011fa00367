/** Maps the relations and columns of a catalog file to stored ones: by name, by `was`, or by a former name. */
import type { Catalog, Column, Relation } from '../catalog/model.js';
import { fieldName, collectionName } from '../catalog/naming.js';
import {
  relationKey,
  typeName,
  type Known,
  type KnownColumn,
  type KnownRelation,
  type Ledger,
} from './ledger.js';

export interface Identified {
  /** The ledger once the file is in force. */
  readonly ledger: Ledger;
  /** Names in the file that are former names of something declared under another name, in words. */
  readonly former: readonly string[];
  /** Whether something is declared under a new name. */
  readonly renamed: boolean;
}

/** Storage that is being deleted, and not reused before that is done. */
export interface Reserved {
  readonly collection: string;
  readonly field: string | null;
}

export function identify(ledger: Ledger, catalog: Catalog, reserved: readonly Reserved[] = []): Identified {
  const former: string[] = [];
  const next: KnownRelation[] = [];
  for (const [schema, { relations }] of catalog.schemas) {
    const asked = [...relations.values()].filter(({ collection }) => collection !== undefined);
    const known = ledger.filter((one) => one.schema === schema);
    const matches = match(asked, known, () => true);
    const ids = new Set(known.map(({ id }) => id));
    for (const { collection, field } of reserved) if (field === null) ids.add(collection);
    for (const relation of asked) {
      const found = matches.get(relation.name);
      if (found?.isFormer === true)
        former.push(formerText(relationKey(relation), `${schema}.${found.entry.name}`));
      const entry = found?.entry ?? newRelation(relation, ids);
      const columns = identifyColumns(entry, relation, reserved, former);
      next.push({ ...declaredAs(entry, relation.name), columns });
    }
  }
  const kept = ledger.filter((one) => !next.some(({ schema, id }) => schema === one.schema && id === one.id));
  const all = [...next, ...kept.map((one) => ({ ...one, declared: false }))];
  return { ledger: all, former, renamed: namesDiffer(ledger, all) };
}

function newRelation({ schema, name }: Relation, used: Set<string>): KnownRelation {
  const isFree = (id: string): boolean => !used.has(id) && !used.has(collectionName(schema, id));
  const id = firstFree(name, isFree);
  used.add(id);
  return { schema, id, name, formerly: [], declared: true, droppedAt: null, columns: [] };
}

function identifyColumns(
  relation: KnownRelation,
  after: Relation,
  reserved: readonly Reserved[],
  former: string[],
): KnownColumn[] {
  const asked = [...after.columns.values()];
  const matches = match(asked, relation.columns, (entry, column) => entry.type === typeName(column));
  const ids = new Set(relation.columns.map(({ id }) => id));
  const collection = collectionName(relation.schema, relation.id);
  const fields = new Set([
    ...relation.columns.flatMap(({ field, earlier }) => [field, ...earlier.map((one) => one.field)]),
    ...reserved.flatMap((one) => (one.collection === collection ? (one.field ?? []) : [])),
  ]);
  const newField = (column: Column): string => {
    const field = firstFree(fieldName(column.name), (one) => !fields.has(one));
    fields.add(field);
    return field;
  };
  const columns = asked.map((column): KnownColumn => {
    const found = matches.get(column.name);
    const type = typeName(column);
    if (found === undefined) {
      const id = firstFree(column.name, (one) => !ids.has(one));
      ids.add(id);
      const { name } = column;
      return {
        id,
        name,
        formerly: [],
        declared: true,
        droppedAt: null,
        field: newField(column),
        type,
        earlier: [],
      };
    }
    const { entry } = found;
    if (found.isFormer) {
      former.push(formerText(`${relationKey(after)}.${column.name}`, `${relationKey(after)}.${entry.name}`));
    }
    const named = declaredAs(entry, column.name);
    if (entry.type === type) return named;
    const earlier = [{ field: entry.field, type: entry.type, droppedAt: null }, ...entry.earlier];
    return { ...named, type, field: newField(column), earlier };
  });
  const kept = relation.columns.filter(({ id }) => !columns.some((one) => one.id === id));
  return [...columns, ...kept.map((one) => ({ ...one, declared: false }))];
}

interface Asked {
  readonly name: string;
  readonly was: string | undefined;
}

interface Match<E> {
  readonly entry: E;
  /** The name is a former one of an entry whose current name the file lacks. */
  readonly isFormer: boolean;
}

/**
 * Each entry goes to at most one name. `was` counts when a name is new: if it names what the column has been called
 * already, it is settled and may stay in the file. `fits`: whether an undeclared entry may come back.
 */
function match<A extends Asked, E extends Known>(
  asked: readonly A[],
  known: readonly E[],
  fits: (entry: E, one: A) => boolean,
): ReadonlyMap<string, Match<E>> {
  const names = new Set(asked.map(({ name }) => name));
  const inForce = new Map(known.filter(({ declared }) => declared).map((entry) => [entry.name, entry]));
  const free = new Set(known);
  const matches = new Map<string, Match<E>>();
  const take = (one: A, entry: E | undefined, isFormer = false): void => {
    if (entry === undefined || !free.delete(entry)) return;
    matches.set(one.name, { entry, isFormer });
  };
  const pick = (test: (entry: E) => boolean): E | undefined => [...free].find(test);
  const takers = renaming(asked, inForce);
  const goesOn = asked.filter(({ name }) => inForce.has(name) && !takers.some(({ was }) => was === name));
  for (const one of goesOn) take(one, inForce.get(one.name));
  const steps: readonly (readonly [(one: A, entry: E) => boolean, isFormer?: boolean])[] = [
    [({ name, was }, entry) => !entry.declared && entry.name === name && has(entry.formerly, was)],
    [({ was }, entry) => entry.declared && entry.name === was],
    [({ name }, entry) => entry.declared && entry.name === name],
    [({ name }, entry) => entry.declared && has(entry.formerly, name) && !names.has(entry.name), true],
    [({ name }, entry) => !entry.declared && entry.name === name],
    [({ was }, entry) => !entry.declared && (entry.name === was || has(entry.formerly, was))],
    [({ was }, entry) => entry.declared && has(entry.formerly, was) && !names.has(entry.name), true],
    [({ name }, entry) => !entry.declared && has(entry.formerly, name)],
  ];
  for (const [applies, isFormer] of steps) {
    for (const one of asked) {
      if (matches.has(one.name)) continue;
      const entry = pick((item) => applies(one, item) && (item.declared || fits(item, one)));
      take(one, entry, isFormer);
    }
  }
  return matches;
}

/** Those that take the values of `was`: of a name in force only if another one takes its own, in a swap or a chain. */
function renaming(asked: readonly Asked[], inForce: ReadonlyMap<string, Known>): readonly Asked[] {
  let takers = asked.filter(
    ({ name, was }) => was !== undefined && !has(inForce.get(name)?.formerly ?? [], was),
  );
  for (;;) {
    const left = takers.filter(({ name }) => !inForce.has(name) || takers.some(({ was }) => was === name));
    if (left.length === takers.length) return left;
    takers = left;
  }
}

function has(names: readonly string[], name: string | undefined): boolean {
  return name !== undefined && names.includes(name);
}

function declaredAs<E extends Known>(entry: E, name: string): E {
  const formerly = [...new Set([...entry.formerly, entry.name])].filter((one) => one !== name);
  return { ...entry, name, formerly, declared: true, droppedAt: null };
}

function firstFree(wanted: string, isFree: (name: string) => boolean): string {
  let name = wanted;
  for (let at = 2; !isFree(name); at += 1) name = `${wanted}~${at}`;
  return name;
}

function formerText(name: string, current: string): string {
  return `"${name}" is a former name of "${current}"`;
}

function namesDiffer(before: Ledger, after: Ledger): boolean {
  return before.some((relation) => {
    const now = after.find(({ schema, id }) => schema === relation.schema && id === relation.id);
    const differs = <E extends Known>(a: E, b: E | undefined): boolean =>
      a.declared && b?.declared === true && a.name !== b.name;
    return (
      differs(relation, now) ||
      relation.columns.some((column) =>
        differs(
          column,
          now?.columns.find(({ id }) => id === column.id),
        ),
      )
    );
  });
}
