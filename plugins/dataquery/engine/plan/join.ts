/** How the rows of an embed are found from the rows of its parent: by which members of the stored rows. */
import type { Catalog, Column } from '../catalog/model.js';
import type { Relationship } from '../relationships/relationship.js';
import { functionSource } from './function-source.js';
import type { Join, Source } from './level.js';
import { sourceOf } from './source.js';

export interface Target {
  readonly source: Source;
  readonly join: Join;
}

export function targetOf(catalog: Catalog, origin: Source, relationship: Relationship): Target {
  switch (relationship.kind) {
    case 'computed':
      return computedTarget(catalog, origin, relationship);
    case 'many-to-many': {
      const source = sourceOf(catalog, relationship.target);
      const junction = sourceOf(catalog, relationship.junction);
      const { near, far } = relationship;
      return {
        source,
        join: {
          kind: 'junction',
          parent: fields(
            origin,
            near.columns.map(([column]) => column),
          ),
          junction,
          near: fields(
            junction,
            near.columns.map(([, column]) => column),
          ),
          far: fields(
            junction,
            far.columns.map(([column]) => column),
          ),
          child: fields(
            source,
            far.columns.map(([, column]) => column),
          ),
        },
      };
    }
    default: {
      const source = sourceOf(catalog, relationship.target);
      const parent = fields(
        origin,
        relationship.columns.map(([column]) => column),
      );
      const child = fields(
        source,
        relationship.columns.map(([, column]) => column),
      );
      return { source, join: { kind: 'direct', parent, child } };
    }
  }
}

function computedTarget(
  catalog: Catalog,
  origin: Source,
  { function: called, target }: Extract<Relationship, { kind: 'computed' }>,
): Target {
  const { body } = called;
  if (body.kind === 'module') {
    const source = { ...sourceOf(catalog, target), conditions: [], rows: [] };
    return { source, join: { kind: 'call', called, argument: called.args[0]!.name } };
  }
  const source = functionSource(catalog, called);
  const parent = fields(
    origin,
    body.join.map(({ of }) => of),
  );
  const child = fields(
    source,
    body.join.map(({ column }) => column),
  );
  return { source, join: { kind: 'direct', parent, child } };
}

function fields(source: Source, columns: readonly string[]): string[] {
  return columns.map((name) => {
    const column: Column | undefined = source.columns.get(name);
    if (column === undefined) throw new TypeError(`${source.stored.name} has no column ${name} to join by`);
    return column.field;
  });
}
