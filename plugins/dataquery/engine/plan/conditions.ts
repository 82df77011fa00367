/** A filter or a logic tree of a request, on the rows of one level. */
import type { Relation } from '../catalog/model.js';
import type { ConditionTerm, FilterTerm } from '../query/query.js';
import type { SeenCache } from './seen-cache.js';
import { valueOf } from './columns.js';
import type { Condition, Embed, Source } from './level.js';
import { notEmbedded } from './not-embedded.js';
import { operationOn } from './operation.js';

/** What the names of one level can mean. */
export interface Names {
  readonly cache: SeenCache;
  readonly relation: Relation;
  readonly source: Source;
  readonly embeds: readonly Embed[];
}

export function conditionOf(names: Names, term: ConditionTerm): Condition {
  const condition: Condition =
    term.kind === 'logic'
      ? { kind: term.op, conditions: term.terms.map((item) => conditionOf(names, item)) }
      : (embedFilter(names, term) ??
        operationOn(valueOf(names.cache, names.relation, names.source, term.field), term.operation));
  return term.negated ? { kind: 'not', condition } : condition;
}

/**
 * `embed=is.null`: the row has no related rows; `embed=count.gte.3`: it has this many. A column with the embed's name
 * keeps every other operator.
 */
function embedFilter(names: Names, { field, operation }: FilterTerm): Condition | undefined {
  if (operation.kind === 'count') {
    const counted = field.steps.length === 0 ? embedNamed(names.embeds, field.name) : undefined;
    if (counted === undefined) throw notEmbedded(field.name);
    return { kind: 'related', embed: counted, count: { op: operation.op, operand: operation.value } };
  }
  if (operation.kind !== 'is' || field.steps.length > 0) return undefined;
  if (operation.value !== 'null' && operation.value !== 'not_null') return undefined;
  const embed = embedNamed(names.embeds, field.name);
  if (embed === undefined) return undefined;
  const related: Condition = { kind: 'related', embed };
  return operation.value === 'null' ? { kind: 'not', condition: related } : related;
}

/** By output name first; by the relation's name if no other embed has it. */
export function embedNamed(embeds: readonly Embed[], name: string): Embed | undefined {
  return embeds.find((embed) => embed.name === name) ?? embeds.find((embed) => embed.target === name);
}
