/** SVC201: the candidates of an ambiguous embed, and how to name each of them. */
import type { ServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { ColumnPairs, Relationship } from './relationship.js';

export function ambiguous(origin: string, target: string, found: readonly Relationship[]): ServiceError {
  const names = found.map((relationship) => `'${target}!${hintOf(relationship)}'`).join(', ');
  return errors.SVC201({
    values: { origin, target },
    details: found.map((relationship) => ({
      cardinality: relationship.kind,
      embedding: `${relationship.origin.name} with ${relationship.target.name}`,
      relationship: describe(relationship),
    })),
    hint: `Try changing '${target}' to one of the following: ${names}. Find the desired relationship in the 'details' key.`,
  });
}

function hintOf(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'computed':
      return relationship.function.name;
    case 'many-to-many':
      return relationship.junction.name;
    default:
      return relationship.constraint;
  }
}

/** `fk using A(col) and B(col)`; `J using fkA(colsA) and fkB(colsB)` */
function describe(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'computed':
      return relationship.function.name;
    case 'many-to-many': {
      const { junction, near, far } = relationship;
      return `${junction.name} using ${near.constraint}(${targets(near.columns)}) and ${far.constraint}(${origins(far.columns)})`;
    }
    default: {
      const { constraint, origin, target, columns } = relationship;
      return `${constraint} using ${origin.name}(${origins(columns)}) and ${target.name}(${targets(columns)})`;
    }
  }
}

function origins(columns: ColumnPairs): string {
  return columns.map(([column]) => column).join(', ');
}

function targets(columns: ColumnPairs): string {
  return columns.map(([, column]) => column).join(', ');
}
