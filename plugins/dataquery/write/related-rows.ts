/**
 * A body whose rows hold rows of related relations, `{"title": "Ran", "roles": [{"actor_id": 1}]}`: which rows that
 * makes of which tables, in an order in which what is referred to comes first.
 */
import type { Column, Relation } from '../catalog/model.js';
import { errors } from '../errors.js';
import type { Row } from '../http/body.js';
import { findRelationship, relationshipsMeant } from '../relationships/find.js';
import {
  isToOne,
  type ColumnPairs,
  type JunctionRelationship,
  type KeyRelationship,
} from '../relationships/relationship.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { changedRow, writeColumns, type WriteColumns } from './draft.js';
import { newRows } from './new-rows.js';
import type { WriteContext } from './request.js';
import { writeTarget, type WriteTarget } from './target.js';

/** A key of a body that is no column but a relationship: `roles`, or `roles!roles_film_id_fkey` of several. */
export interface RelatedKey {
  readonly name: string;
  readonly relationship: KeyRelationship | JunctionRelationship;
}

/** Undefined for a column, and for a name that means nothing. Throws SVC201 where it means several. */
export function relatedKey(
  { state: { cache } }: WriteContext,
  { relation, columnOf }: WriteTarget,
  name: string,
): RelatedKey | undefined {
  if (columnOf(name) !== undefined) return undefined;
  const [target = '', hint] = name.split('!');
  if (relationshipsMeant(cache, relation.schema, relation, target, hint).length === 0) return undefined;
  const relationship = findRelationship(cache, relation.schema, relation, target, hint);
  return relationship.kind === 'computed' ? undefined : { name, relationship };
}

/** New rows of one table. */
export interface TableRows {
  readonly table: Relation;
  readonly rows: readonly StoredRow[];
}

export interface RowTree {
  /** Those of the body itself, in its order. */
  readonly rows: readonly StoredRow[];
  /** All rows, table by table, in the order in which they can be inserted. */
  readonly steps: readonly TableRows[];
}

interface Branch {
  readonly target: WriteTarget;
  readonly rows: readonly Row[];
  readonly columns: WriteColumns;
  readonly related: readonly RelatedKey[];
  /** Per row the values that the row which holds it decides. */
  readonly fixed: readonly ReadonlyMap<Column, Stored | null>[];
}

/** Throws SVC102, SVC129, SVC204 and what `newRows` throws. */
export async function rowTree(context: WriteContext, branch: Branch, depth = 0): Promise<RowTree> {
  const { maxDepth } = context.limits;
  if (depth > maxDepth) throw errors.SVC129({ details: `Rows are nested deeper than ${maxDepth} levels.` });
  const { target, fixed } = branch;
  const made = await newRows(context, target, branch.rows, branch.columns);
  const rows = made.map((row, at) => changedRow(row, fixed[at] ?? NOTHING));
  const before = await referredTo(context, branch, rows, depth + 1);
  const after = await belonging(context, branch, rows, depth + 1);
  return { rows, steps: [...before, { table: target.table, rows }, ...after] };
}

const NOTHING: ReadonlyMap<Column, Stored | null> = new Map();

/** The rows that these refer to; their keys become values of `rows`. */
async function referredTo(
  context: WriteContext,
  branch: Branch,
  rows: StoredRow[],
  depth: number,
): Promise<TableRows[]> {
  const steps: TableRows[] = [];
  for (const key of branch.related.filter(isReference)) {
    const child = childOf(context, branch, key);
    const { columns } = key.relationship;
    const own = columns.map(([near]) => near);
    for (const at of child.owners) refuseGiven(branch.rows[at]!, own, `the row under '${key.name}'`);
    const tree = await rowTree(context, { ...child, fixed: [] }, depth);
    for (const [at, row] of tree.rows.entries()) {
      const owner = child.owners[at]!;
      rows[owner] = changedRow(rows[owner]!, copied(columns, [branch.target, child.target], row, 'back'));
    }
    steps.push(...tree.steps);
  }
  return steps;
}

/** The rows that refer to these, and those of the far side of a junction. */
async function belonging(
  context: WriteContext,
  branch: Branch,
  rows: readonly StoredRow[],
  depth: number,
): Promise<TableRows[]> {
  const steps: TableRows[] = [];
  for (const key of branch.related.filter((one) => !isReference(one))) {
    const child = childOf(context, branch, key);
    const sides = [branch.target, child.target] as const;
    const owners = child.owners.map((at) => rows[at]!);
    const { relationship, name } = key;
    if (relationship.kind === 'many-to-many') {
      const tree = await rowTree(context, { ...child, fixed: [] }, depth);
      steps.push(...tree.steps, await links(context, relationship, sides, owners, tree.rows));
      continue;
    }
    const decided = relationship.columns.map(([, far]) => far);
    for (const row of child.rows) refuseGiven(row, decided, `the row that holds '${name}'`);
    const fixed = owners.map((owner) => copied(relationship.columns, sides, owner, 'forth'));
    steps.push(...(await rowTree(context, { ...child, fixed }, depth)).steps);
  }
  return steps;
}

type ReferenceKey = RelatedKey & { readonly relationship: KeyRelationship };

/** Whether the row of the body holds the foreign key. */
function isReference(key: RelatedKey): key is ReferenceKey {
  return key.relationship.kind !== 'many-to-many' && key.relationship.references;
}

interface Child extends Omit<Branch, 'fixed'> {
  /** Per row the position of the row that holds it. */
  readonly owners: readonly number[];
}

function childOf(context: WriteContext, { rows }: Branch, { name, relationship }: RelatedKey): Child {
  const owners: number[] = [];
  const nested: Row[] = [];
  for (const [at, row] of rows.entries()) {
    for (const one of nestedRows(name, row[name], isToOne(relationship))) {
      owners.push(at);
      nested.push(one);
    }
  }
  const target = writeTarget(context.state.catalog, relationship.target);
  return { owners, rows: nested, target, ...bodyKeys(context, target, keysOf(nested), true) };
}

function nestedRows(name: string, value: unknown, toOne: boolean): readonly Row[] {
  if (value === null || value === undefined) return [];
  const rows: readonly unknown[] | undefined = toOne ? [value] : Array.isArray(value) ? value : undefined;
  if (rows?.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)) === true) {
    return rows as readonly Row[];
  }
  throw errors.SVC102({ message: `'${name}' takes ${toOne ? 'an object' : 'an array of objects'}` });
}

/** Rows of different parents need not have the same keys: one that lacks a key gets the default. */
function keysOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The keys of a body by what they are. Throws SVC204 for one that is neither column nor relationship. */
export function bodyKeys(
  context: WriteContext,
  target: WriteTarget,
  names: readonly string[],
  missingDefault: boolean,
): { columns: WriteColumns; related: RelatedKey[] } {
  const related = names.flatMap((name) => relatedKey(context, target, name) ?? []);
  const own = names.filter((name) => !related.some((key) => key.name === name));
  return { columns: writeColumns(target, own, [], missingDefault), related };
}

/** A value that another row decides cannot be given too. */
function refuseGiven(row: Row, columns: readonly string[], by: string): void {
  const given = columns.find((column) => Object.hasOwn(row, column));
  if (given !== undefined) throw errors.SVC102({ message: `'${given}' is decided by ${by}` });
}

/** The values of a relationship's columns, of a row of one side for a row of the other. */
function copied(
  pairs: ColumnPairs,
  [origin, target]: readonly [WriteTarget, WriteTarget],
  row: StoredRow,
  direction: 'forth' | 'back',
): Map<Column, Stored | null> {
  return new Map(
    pairs.flatMap(([near, far]): [Column, Stored | null][] => {
      const [from, to] = [origin.columnOf(near), target.columnOf(far)];
      if (from === undefined || to === undefined) return [];
      const [read, written] = direction === 'forth' ? [from, to] : [to, from];
      return [[written, row[read.field] ?? null]];
    }),
  );
}

/** The rows of a junction: one per row of the far side, with nothing but the two keys and defaults. */
async function links(
  context: WriteContext,
  { junction, near, far }: JunctionRelationship,
  [origin, target]: readonly [WriteTarget, WriteTarget],
  owners: readonly StoredRow[],
  rows: readonly StoredRow[],
): Promise<TableRows> {
  const between = writeTarget(context.state.catalog, junction);
  const blank = await newRows(
    context,
    between,
    rows.map(() => ({})),
    { given: [], missingDefault: true },
  );
  const linked = blank.map((row, at) => {
    const nearValues = copied(near.columns, [origin, between], owners[at]!, 'forth');
    const farValues = copied(far.columns, [between, target], rows[at]!, 'back');
    return changedRow(row, new Map([...nearValues, ...farValues]));
  });
  return { table: between.table, rows: linked };
}
