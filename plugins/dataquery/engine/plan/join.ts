/** How an embed's rows are found from their parents: by which members of the stored rows. */
import type { Column, Relation } from '../catalog/model.js';
import type { Relationship } from '../relationships/relationship.js';
import type { SeenCache } from './seen-cache.js';
import { assertRead, assertWholeRow } from './columns.js';
import { functionSource } from './function-source.js';
import { bareLevel, type Join, type Source } from './level.js';
import { sourceOf, wholeSource } from './source.js';

export interface Target {
  readonly source: Source;
  readonly join: Join;
}

/** Throws 42501 if a join column may not be read: the related rows would reveal it. */
export function targetOf(cache: SeenCache, origin: Source, relationship: Relationship): Target {
  const near = sideOf(cache, relationship.origin, origin);
  switch (relationship.kind) {
    case 'computed':
      return computedTarget(cache, near, relationship);
    case 'many-to-many': {
      const { target, junction } = relationship;
      const source = sourceOf(cache, target);
      const links = sourceOf(cache, junction);
      const far = sideOf(cache, target, source);
      const between = sideOf(cache, junction, links);
      const [toJunction, toTarget] = [relationship.near.columns, relationship.far.columns];
      return {
        source,
        join: {
          kind: 'junction',
          parent: near(toJunction.map(([column]) => column)),
          junction: bareLevel(junction, links, links.conditions),
          near: between(toJunction.map(([, column]) => column)),
          far: between(toTarget.map(([column]) => column)),
          child: far(toTarget.map(([, column]) => column)),
        },
      };
    }
    default: {
      const source = sourceOf(cache, relationship.target);
      const parent = near(relationship.columns.map(([column]) => column));
      const child = sideOf(
        cache,
        relationship.target,
        source,
      )(relationship.columns.map(([, column]) => column));
      return { source, join: { kind: 'direct', parent, child } };
    }
  }
}

function computedTarget(
  cache: SeenCache,
  near: Side,
  { function: called, target }: Extract<Relationship, { kind: 'computed' }>,
): Target {
  const { body } = called;
  if (body.kind === 'module') {
    near.assertWhole();
    const source = { ...wholeSource(cache.catalog, target), conditions: [], rows: [] };
    return { source, join: { kind: 'call', called, argument: called.args[0]!.name } };
  }
  const source = functionSource(cache, called);
  const parent = near(body.join.map(({ of }) => of));
  const child = sideOf(cache, target, source)(body.join.map(({ column }) => column));
  return { source, join: { kind: 'direct', parent, child } };
}

/** Maps the columns of one side of a join to their members. */
type Side = ((columns: readonly string[]) => string[]) & { assertWhole(): void };

function sideOf(cache: SeenCache, relation: Relation, source: Source): Side {
  const members = (columns: readonly string[]): string[] => {
    assertRead(cache, relation, source, columns);
    return fields(source, columns);
  };
  return Object.assign(members, { assertWhole: () => assertWholeRow(cache, relation, source) });
}

function fields(source: Source, columns: readonly string[]): string[] {
  return columns.map((name) => {
    const column: Column | undefined = source.columns.get(name);
    if (column === undefined) throw new TypeError(`${source.stored.name} has no column ${name} to join by`);
    return column.field;
  });
}
