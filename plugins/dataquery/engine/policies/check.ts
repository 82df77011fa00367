/** Finds what is wrong with a catalog's policies when it is read, rather than at the first request. */
import { isServiceError } from 'plugboard/sdk';
import { relationOf, type Catalog, type ClaimPath, type Relation, type Rule } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { ALL_RIGHTS } from '../plan/rights.js';
import { wholeSource } from '../plan/source.js';
import type { Distinctions } from './caller.js';
import { ruleCondition } from './rule-condition.js';

/**
 * What distinguishes callers; undefined for a catalog without policies and grants. Throws for the first invalid policy.
 */
export function distinctionsOf(catalog: Catalog): Distinctions | undefined {
  const guarded = [...relationsOf(catalog)].filter(
    ({ grants, policies }) => grants !== undefined || policies.length > 0,
  );
  if (guarded.length === 0) return undefined;
  refuseCircles(catalog);
  const roles = new Set<string>();
  const claims = new Map<string, ClaimPath>();
  for (const relation of guarded) {
    for (const role of relation.grants?.keys() ?? []) roles.add(role);
    for (const { name, to, using, check } of relation.policies) {
      for (const role of to ?? []) roles.add(role);
      for (const rule of [using, check])
        for (const path of claimsOf(catalog, relation, name, rule ?? []))
          claims.set(JSON.stringify(path), path);
    }
  }
  return { roles, claims: [...claims.values()] };
}

/**
 * The claims that a rule uses. It is compiled with empty claims, so every operand from them is null: names, operators
 * and literals are checked.
 */
export function claimsOf(catalog: Catalog, relation: Relation, policy: string, rule: Rule): ClaimPath[] {
  const asked: ClaimPath[] = [];
  try {
    const seen = { catalog, rights: ALL_RIGHTS };
    ruleCondition(seen, (path) => void asked.push(path), relation, wholeSource(catalog, relation), rule);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw errors['42601']({ message: `policy "${policy}" of "${relation.name}": ${error.message}` });
  }
  return asked;
}

function* relationsOf(catalog: Catalog): Generator<Relation> {
  for (const { relations } of catalog.schemas.values()) yield* relations.values();
}

/** Who may read a row of a relation must not depend on who may read a row of the same (42P17 of PostgreSQL). */
function refuseCircles(catalog: Catalog): void {
  const done = new Set<Relation>();
  const open: Relation[] = [];
  const visit = (relation: Relation): void => {
    if (open.includes(relation)) {
      const circle = [...open.slice(open.indexOf(relation)), relation].map(({ name }) => name).join(' -> ');
      throw errors['42601']({
        message: `policies ask for each other in a circle: ${circle}; a view with "definer: true" ends one`,
      });
    }
    if (done.has(relation)) return;
    open.push(relation);
    for (const { commands, using } of relation.policies) {
      if (!commands.includes('all') && !commands.includes('select')) continue;
      for (const target of askedFor(catalog, using ?? [])) visit(target);
    }
    open.pop();
    done.add(relation);
  };
  for (const relation of relationsOf(catalog)) visit(relation);
}

/** The stored relations whose policies the rule depends on. */
function askedFor(catalog: Catalog, rule: Rule): Relation[] {
  return rule.flatMap((term) => {
    if (term.kind !== 'exists') return [];
    let target = relationOf(catalog, term.relation);
    while (target?.from !== undefined && !target.definer) target = relationOf(catalog, target.from);
    const stored = target?.from === undefined ? target : undefined;
    return [...(stored === undefined ? [] : [stored]), ...askedFor(catalog, term.rule)];
  });
}
