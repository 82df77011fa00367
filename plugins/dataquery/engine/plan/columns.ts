/** Resolves a field of a request to a value of the level's rows. */
import type { ServiceError } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Field } from '../query/query.js';
import { mostSimilar } from '../base/similar.js';
import type { SeenCache } from './seen-cache.js';
import type { Source } from './level.js';
import { columnValue, computedValue, stepInto, type Value } from './value.js';

/** A column, or a function of the row with that name; 42703 for neither, 42501 if it may not be read. */
export function valueOf(cache: SeenCache, relation: Relation, source: Source, field: Field): Value {
  const column = source.columns.get(field.name);
  if (column !== undefined) {
    assertRead(cache, relation, source, [field.name]);
    return stepInto(columnValue(column), field);
  }
  const called = cache.computedColumn(relation, field.name);
  if (called !== undefined) {
    assertWholeRow(cache, relation, source);
    return stepInto(computedValue(called), field);
  }
  throw noColumn(relation.name, field.name, source.columns.keys());
}

/** Throws 42501 for the first that may not be read. */
export function assertRead(
  { rights }: Pick<SeenCache, 'rights'>,
  { name: relation }: Relation,
  { unread }: Source,
  columns: Iterable<string>,
): void {
  if (unread === undefined) return;
  for (const column of columns) if (unread.has(column)) throw rights.denied({ relation }, column);
}

/** The columns of a declared condition: all of them for `and` and `or`, which may name several. */
export function namesIn(name: string, columns: ReadonlyMap<string, unknown>): Iterable<string> {
  const [column = ''] = name.split('->');
  const isLogic = ['and', 'or', 'not.and', 'not.or'].includes(column);
  return !isLogic && columns.has(column) ? [column] : columns.keys();
}

/** For functions of a row: they may show any of its columns. */
export function assertWholeRow(cache: Pick<SeenCache, 'rights'>, relation: Relation, source: Source): void {
  assertRead(cache, relation, source, source.unread ?? []);
}

export function noColumn(relation: string, column: string, known: Iterable<string> = []): ServiceError {
  const near = mostSimilar(known, column, 0.6);
  const hint = near === undefined ? null : `Perhaps you meant to reference the column "${relation}.${near}".`;
  return errors['42703']({ values: { relation, column }, hint });
}
