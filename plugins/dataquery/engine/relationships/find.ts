/** Which relationship `target!hint` means, seen from a relation. */
import type { Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { ambiguous } from './ambiguous.js';
import { type KeyRelationship, type Relationship } from './relationship.js';
import type { SchemaCache } from './schema-cache.js';
import { mostSimilar } from '../base/similar.js';

/** Throws SVC200 without a match and SVC201 with several. */
export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: Relation,
  target: string,
  hint: string | undefined,
): Relationship {
  const matches = relationshipsMeant(cache, schema, origin, target, hint);
  if (matches.length === 0) throw notRelated(cache, schema, origin, target, hint);
  if (matches.length > 1) throw ambiguous(origin.name, target, matches);
  return matches[0]!;
}

/** All that it can mean. */
export function relationshipsMeant(
  cache: SchemaCache,
  schema: string,
  origin: Relation,
  target: string,
  hint: string | undefined,
): Relationship[] {
  return candidates(cache, schema, origin).filter((relationship) => isMeant(relationship, target, hint));
}

/** Only relations of the request's schema can be embedded. */
function candidates(cache: SchemaCache, schema: string, origin: Relation): Relationship[] {
  return cache.relationshipsOf(origin).filter((relationship) => relationship.target.schema === schema);
}

function isMeant(relationship: Relationship, target: string, hint: string | undefined): boolean {
  if (relationship.kind === 'computed') return relationship.function.name === target;
  if (relationship.self) return isMeantOfSelf(relationship, target, hint);
  if (hint !== undefined) return relationship.target.name === target && isHinted(relationship, hint);
  if (relationship.target.name === target) return true;
  if (relationship.kind === 'many-to-many' || relationship.target.kind === 'view') return false;
  return (
    relationship.constraint === target || (relationship.references && originColumn(relationship) === target)
  );
}

function isHinted(relationship: Exclude<Relationship, { kind: 'computed' }>, hint: string): boolean {
  if (relationship.kind === 'many-to-many') return relationship.junction.name === hint;
  return (
    relationship.constraint === hint ||
    originColumn(relationship) === hint ||
    targetColumn(relationship) === hint
  );
}

/**
 * One foreign key gives two relationships of a relation with itself. The relation's name means the many rows (the hint
 * is the referring column), the column's name the one row.
 */
function isMeantOfSelf(
  relationship: Exclude<Relationship, { kind: 'computed' }>,
  target: string,
  hint: string | undefined,
): boolean {
  if (relationship.kind === 'one-to-many') {
    if (relationship.target.name !== target) return false;
    return hint === undefined || targetColumn(relationship) === hint || relationship.constraint === hint;
  }
  return relationship.kind === 'many-to-one' && hint === undefined && originColumn(relationship) === target;
}

/** The column of a single-column key. */
function originColumn({ columns }: KeyRelationship): string | undefined {
  return columns.length === 1 ? columns[0]![0] : undefined;
}

function targetColumn({ columns }: KeyRelationship): string | undefined {
  return columns.length === 1 ? columns[0]![1] : undefined;
}

function notRelated(
  cache: SchemaCache,
  schema: string,
  origin: Relation,
  target: string,
  hint: string | undefined,
): Error {
  const using = hint === undefined ? '' : ` using the hint '${hint}'`;
  const meant = suggestion(cache, schema, origin, target);
  return errors.SVC200({
    values: { origin: origin.name, target },
    details: `Searched for a foreign key relationship between '${origin.name}' and '${target}'${using} in the schema '${schema}', but no matches were found.`,
    hint: meant === undefined ? null : `Perhaps you meant '${meant}'.`,
  });
}

/** The closest name among the related ones; none if the name is right and the hint wrong. */
function suggestion(
  cache: SchemaCache,
  schema: string,
  origin: Relation,
  target: string,
): string | undefined {
  const related = candidates(cache, schema, origin);
  if (cache.isRelated(origin, schema)) {
    const names = related.map((relationship) =>
      relationship.kind === 'computed' ? relationship.function.name : relationship.target.name,
    );
    const close = names.includes(target) ? undefined : mostSimilar(names, target);
    return close === undefined ? undefined : `${close}' instead of '${target}`;
  }
  const origins = [...(cache.catalog.schemas.get(schema)?.relations.values() ?? [])].filter(
    (relation) => relation !== origin && cache.isRelated(relation, schema),
  );
  const close = mostSimilar(
    origins.map(({ name }) => name),
    origin.name,
  );
  return close === undefined ? undefined : `${close}' instead of '${origin.name}`;
}
