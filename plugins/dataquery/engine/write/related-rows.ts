/**
 * Bodies whose rows hold rows of related relations, `{"title": "Ran", "roles": [{"actor_id": 1}]}`: the rows that they
 * make, by table.
 */
import type { Column } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Row } from './rows.js';
import { findRelationship, relationshipsMeant } from '../relationships/find.js';
import { isToOne, type JunctionRelationship, type KeyRelationship } from '../relationships/relationship.js';
import type { StoredRow } from '../values/stored.js';
import { writeColumns, type WriteColumns } from './draft.js';
import { newRows } from './new-rows.js';
import type { WriteContext } from './request.js';
import { writeTarget, type WriteTarget } from './target.js';

/** A key of a body that names a relationship instead of a column: `roles`, or `roles!roles_film_id_fkey` of several. */
export interface RelatedKey {
  readonly name: string;
  readonly relationship: KeyRelationship | JunctionRelationship;
}

/** Undefined for a column or an unknown name. Throws SVC201 for an ambiguous one. */
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

/** New rows of one table, with their related rows. */
export interface RowTree {
  readonly target: WriteTarget;
  /** In the order of the body, without the values that related rows decide. */
  readonly rows: readonly StoredRow[];
  /** The columns that a row of the body gives values for. */
  readonly given: (at: number) => readonly Column[];
  /** Rows that these refer to: stored first. */
  readonly referredTo: readonly RelatedTree<KeyRelationship>[];
  /** Rows that refer to these. */
  readonly referring: readonly RelatedTree<KeyRelationship>[];
  readonly linked: readonly LinkedTree[];
}

export interface RelatedTree<R extends KeyRelationship | JunctionRelationship> {
  readonly relationship: R;
  readonly tree: RowTree;
  /** For each row of the tree, the index of the row that holds it. */
  readonly owners: readonly number[];
}

/** Rows of the far side of a junction. */
export interface LinkedTree extends RelatedTree<JunctionRelationship> {
  /** The junction's rows, one for each, with only defaults. */
  readonly links: RowTree;
}

interface Branch {
  readonly target: WriteTarget;
  readonly rows: readonly Row[];
  readonly columns: WriteColumns;
  readonly related: readonly RelatedKey[];
}

/** Throws SVC102, SVC129, SVC204 and what `newRows` throws. */
export async function rowTree(context: WriteContext, branch: Branch, depth = 0): Promise<RowTree> {
  const { maxDepth } = context.limits;
  if (depth > maxDepth) throw errors.SVC129({ details: `Rows are nested deeper than ${maxDepth} levels.` });
  const { target, columns, related } = branch;
  target.assert(
    'insert',
    columns.given.map(({ name }) => name),
  );
  const rows = await newRows(context, target, branch.rows, columns);
  const given = (at: number): readonly Column[] =>
    columns.given.flatMap(({ name, column }) => (Object.hasOwn(branch.rows[at]!, name) ? [column] : []));
  const [referredTo, referring, linked]: [
    RelatedTree<KeyRelationship>[],
    RelatedTree<KeyRelationship>[],
    LinkedTree[],
  ] = [[], [], []];
  for (const key of related) {
    const { name, relationship } = key;
    const { owners, ...child } = childOf(context, branch, key);
    if (relationship.kind === 'many-to-many') {
      const links = writeTarget(context.state.cache, relationship.junction);
      links.assert(
        'insert',
        relationship.near.columns.map(([, column]) => column),
      );
      links.assert(
        'insert',
        relationship.far.columns.map(([column]) => column),
      );
      const tree = await rowTree(context, child, depth + 1);
      linked.push({
        relationship,
        owners,
        tree,
        links: await blankRows(context, relationship, owners.length),
      });
    } else if (relationship.references) {
      const own = relationship.columns.map(([near]) => near);
      target.assert('insert', own);
      for (const at of owners) refuseGiven(branch.rows[at]!, own, `the row under '${name}'`);
      referredTo.push({ relationship, owners, tree: await rowTree(context, child, depth + 1) });
    } else {
      const decided = relationship.columns.map(([, far]) => far);
      child.target.assert('insert', decided);
      for (const row of child.rows) refuseGiven(row, decided, `the row that holds '${name}'`);
      referring.push({ relationship, owners, tree: await rowTree(context, child, depth + 1) });
    }
  }
  return { target, rows, given, referredTo, referring, linked };
}

async function blankRows(
  context: WriteContext,
  { junction }: JunctionRelationship,
  count: number,
): Promise<RowTree> {
  const target = writeTarget(context.state.cache, junction);
  const rows = Array.from({ length: count }, () => ({}));
  const columns: WriteColumns = { given: [], missingDefault: true };
  return rowTree(context, { target, rows, columns, related: [] });
}

interface Child extends Branch {
  /** For each row, the index of the row that holds it. */
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
  const target = writeTarget(context.state.cache, relationship.target);
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

/** Rows of different parents need not have the same keys: a missing one gets the default. */
function keysOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** The keys of a body by kind. Throws SVC204 for one that is neither column nor relationship. */
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
