/** From the rule of a policy to a condition on rows, for a caller with these claims. */
import { parseClaimPath } from '../catalog/claim-path.js';
import { relationOf, type Column, type Relation, type Rule, type RuleTerm } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { assertRead, namesIn, noColumn } from '../plan/columns.js';
import { bareLevel, type Condition, type Source } from '../plan/level.js';
import { operationOn } from '../plan/operation.js';
import { declaredCondition, sourceOf, type SeenCatalog } from '../plan/source.js';
import type { Value } from '../plan/value.js';
import { parseQuery } from '../query/parse.js';
import type { ConditionTerm, Operation } from '../query/query.js';
import { predicateFor } from '../read/predicate.js';
import { claimOperand, claimValue, UNKNOWN, type Claims } from './claims.js';

/** Throws what is wrong with the rule: 42703, 42601, 22P02, 42501 and others. */
export function ruleCondition(
  seen: SeenCatalog,
  claims: Claims,
  relation: Relation,
  { columns }: Pick<Source, 'columns'>,
  rule: Rule,
): Condition {
  const conditions = rule.map((term) => termCondition(seen, claims, relation, columns, term));
  return conditions.length === 1 ? conditions[0]! : { kind: 'and', conditions };
}

function termCondition(
  seen: SeenCatalog,
  claims: Claims,
  relation: Relation,
  columns: ReadonlyMap<string, Column>,
  term: RuleTerm,
): Condition {
  switch (term.kind) {
    case 'never':
      return { kind: 'constant', is: false };
    case 'exists':
      return existsCondition(seen, claims, relation, columns, term);
    case 'claim':
      return claimCondition(claims(term.path), parsed('claim', term.value));
    case 'filter':
      return declaredCondition(relation, columns, parsed(term.name, term.value), (value, operation) =>
        operate(claims, value, operation),
      );
  }
}

/** Exactly one condition: a name such as `limit` or `a.b` would make none, or one of something else. */
function parsed(name: string, value: string): ConditionTerm {
  const query = parseQuery(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const [only] = query.conditions;
  if (only === undefined || only.path.length > 0)
    throw problem(`"${name}" is no column of the relation by which a policy can go`);
  return only.value;
}

function operate(claims: Claims, value: Value, operation: Operation): Condition {
  switch (operation.kind) {
    case 'count':
      throw problem('a policy counts no related rows; "exists" asks for one');
    case 'is':
      return operationOn(value, operation);
    case 'search':
      refuseNames(operation.value);
      return operationOn(value, operation);
    case 'in':
      return claimOperand(claims, value, operation, operation.values.map(named));
    default: {
      const path = named(operation.value);
      if (path === undefined) return operationOn(value, operation);
      return claimOperand(claims, value, operation, [path]);
    }
  }
}

/** The claim that an operand names. */
function named(text: string): readonly string[] | undefined {
  const path = text.startsWith('$jwt.') ? parseClaimPath(text.slice('$jwt.'.length)) : undefined;
  if (path === undefined) refuseNames(text);
  return path;
}

function refuseNames(text: string): void {
  if (!/\$(jwt|row)\b/.test(text)) return;
  throw problem(
    `"${text}": a claim is an operand of its own, "eq.$jwt.sub", and a column of the row goes in "exists", after "eq."`,
  );
}

function problem(message: string): Error {
  return errors['42601']({ message });
}

/** A claim's test, decided here: true, false or unknown for every row. */
function claimCondition(claim: unknown, term: ConditionTerm): Condition {
  if (term.kind === 'logic') throw problem('a claim is compared by one operator');
  const { operation, negated } = term;
  const of = operation.kind === 'compare' || operation.kind === 'isdistinct' || operation.kind === 'search';
  for (const text of operation.kind === 'in' ? operation.values : of ? [operation.value] : [])
    refuseNames(text);
  if (operation.kind === 'count') throw problem('a claim has no related rows');
  const condition = operationOn(claimValue(claim, operation), operation);
  const nothing = { _id: '' };
  if (predicateFor(condition, !negated)(nothing)) return { kind: 'constant', is: true };
  if (predicateFor(condition, negated)(nothing)) return { kind: 'constant', is: false };
  return UNKNOWN;
}

const ROW = /^eq\.\$row\.(.+)$/;

/** A row of the other relation, read with the caller's own rights. */
function existsCondition(
  seen: SeenCatalog,
  claims: Claims,
  relation: Relation,
  columns: ReadonlyMap<string, Column>,
  { relation: name, rule }: Extract<RuleTerm, { kind: 'exists' }>,
): Condition {
  const target = relationOf(seen.catalog, name);
  if (target === undefined) throw problem(`no relation "${name.schema}.${name.relation}"`);
  const source = sourceOf(seen, target);
  const [parent, child, own]: [string[], string[], RuleTerm[]] = [[], [], []];
  for (const term of rule) {
    if (term.kind === 'filter') assertRead(seen, target, source, namesIn(term.name, source.columns));
    const [, column] = (term.kind === 'filter' && ROW.exec(term.value)) || [];
    if (term.kind !== 'filter' || column === undefined) {
      own.push(term);
      continue;
    }
    const [near, far] = [columnIn(relation, columns, column), columnIn(target, source.columns, term.name)];
    if (near.type.family !== far.type.family || near.type.family === 'array')
      throw problem(`"${term.name}" (${far.type.name}) is not compared with "${column}" (${near.type.name})`);
    parent.push(near.field);
    child.push(far.field);
  }
  const condition = ruleCondition(seen, claims, target, source, own);
  const level = bareLevel(target, source, [...source.conditions, condition]);
  return { kind: 'related', embed: { name: target.name, join: { kind: 'direct', parent, child }, level } };
}

function columnIn(relation: Relation, columns: ReadonlyMap<string, Column>, name: string): Column {
  const column = columns.get(name);
  if (column === undefined) throw noColumn(relation.name, name, columns.keys());
  return column;
}
