/** How two relations are related: which columns of which side hold the same values. */
import type { CatalogFunction, Relation } from '../catalog/model.js';

/** Columns that are equal in related rows: of the origin, and of the target. */
export type ColumnPairs = readonly (readonly [origin: string, target: string])[];

export type Relationship = KeyRelationship | JunctionRelationship | ComputedRelationship;

interface Sides {
  readonly origin: Relation;
  readonly target: Relation;
}

/** By a foreign key of one of the two. `one-to-many` is seen from the referenced side. */
export interface KeyRelationship extends Sides {
  readonly kind: 'one-to-many' | 'many-to-one' | 'one-to-one';
  readonly constraint: string;
  readonly columns: ColumnPairs;
  /** Whether the origin holds the foreign key. */
  readonly references: boolean;
  /** A relation related to itself. */
  readonly self: boolean;
}

/** Many-to-many: by two foreign keys of a third relation. */
export interface JunctionRelationship extends Sides {
  readonly kind: 'many-to-many';
  readonly junction: Relation;
  readonly near: { readonly constraint: string; /** Origin to junction. */ readonly columns: ColumnPairs };
  readonly far: { readonly constraint: string; /** Junction to target. */ readonly columns: ColumnPairs };
  readonly self: boolean;
}

/** By a function that takes a row of the origin. */
export interface ComputedRelationship extends Sides {
  readonly kind: 'computed';
  readonly function: CatalogFunction;
  readonly toOne: boolean;
}

/** Whether a row of the origin has at most one related row. */
export function isToOne(relationship: Relationship): boolean {
  switch (relationship.kind) {
    case 'many-to-one':
    case 'one-to-one':
      return true;
    case 'computed':
      return relationship.toOne;
    default:
      return false;
  }
}

const RANKS = {
  'one-to-many': 0,
  'many-to-one': 1,
  'one-to-one': 2,
  'many-to-many': 3,
  computed: 4,
} as const;

/** The order in which an ambiguity lists its candidates. */
export function compareRelationships(a: Relationship, b: Relationship): number {
  return RANKS[a.kind] - RANKS[b.kind] || compareText(sortKey(a), sortKey(b));
}

function sortKey(relationship: Relationship): string {
  if (relationship.kind === 'computed') return relationship.function.name;
  if (relationship.kind !== 'many-to-many') {
    return JSON.stringify([relationship.constraint, relationship.columns, relationship.references ? 0 : 1]);
  }
  const { junction, near, far } = relationship;
  return JSON.stringify([
    junction.schema,
    junction.name,
    near.constraint,
    far.constraint,
    near.columns,
    far.columns,
  ]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
