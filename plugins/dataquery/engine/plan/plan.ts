/**
 * From a parsed request to a tree of levels. Resolves every name and reads every literal, so whatever can be refused is
 * refused before the first row is read.
 */
import type { Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { ConditionTerm, EmbedItem, Query, SelectItem } from '../query/query.js';
import { findRelationship } from '../relationships/find.js';
import { isToOne } from '../relationships/relationship.js';
import type { SeenCache } from './seen-cache.js';
import { conditionOf } from './conditions.js';
import { groupOrder } from './group-order.js';
import { targetOf } from './join.js';
import type { Embed, Level, Output, Source } from './level.js';
import { notEmbedded } from './not-embedded.js';
import { ordersOf, withTieBreak } from './ordering.js';
import { outputOf, outputKeys } from './output.js';
import { sourceOf } from './source.js';

/** Bounds on what one request can cost. */
export interface PlanLimits {
  /** The greatest number of rows of every level (per parent below the root); undefined: no cap. */
  readonly maxRows: number | undefined;
  /** The deepest embed: 1 allows `a(*)` and not `a(b(*))`. */
  readonly maxDepth: number;
  readonly maxEmbeds: number;
  /** The most conditions of all levels. */
  readonly maxFilters: number;
  /** Whether aggregates may be selected. */
  readonly aggregates: boolean;
}

/** `source` replaces the relation's own rows: those of a function call. */
export function planRead(
  cache: SeenCache,
  limits: PlanLimits,
  relation: Relation,
  query: Query,
  source: Source = sourceOf(cache, relation),
): Level {
  const root = draft(query.select, relation.name);
  countEmbeds(root, limits);
  countConditions(query, limits);
  for (const { path, value } of query.conditions) find(root, path).conditions.push(value);
  for (const { path, value } of query.order) find(root, path).order = value;
  for (const { path, value } of query.limits) find(root, path).limit = checkedLimit(value);
  for (const { path, value } of query.offsets) find(root, path).offset = Math.max(0, value);
  return resolve({ cache, limits, schema: relation.schema }, root, relation, source);
}

/** A level as requested: its `select`, and the parameters whose path leads to it. */
interface Draft {
  /** The output key, and the embedded relation's name. */
  readonly name: string;
  readonly target: string;
  readonly select: readonly SelectItem[];
  readonly embeds: readonly { readonly item: EmbedItem; readonly draft: Draft }[];
  conditions: Query['conditions'][number]['value'][];
  order: Query['order'][number]['value'];
  limit: number | undefined;
  offset: number;
}

function draft(select: readonly SelectItem[], target: string, name: string = target): Draft {
  const embeds = select.flatMap((item) =>
    item.kind === 'embed' ? [{ item, draft: draft(item.select, item.name, item.alias ?? item.name) }] : [],
  );
  return { name, target, select, embeds, conditions: [], order: [], limit: undefined, offset: 0 };
}

/** By output name first; by the relation's name if no other embed has it. */
function find(root: Draft, path: readonly string[]): Draft {
  return path.reduce((level, name) => {
    const children = level.embeds.map((embed) => embed.draft);
    const found =
      children.find((child) => child.name === name) ?? children.find((child) => child.target === name);
    if (found === undefined) throw notEmbedded(name);
    return found;
  }, root);
}

function checkedLimit(limit: number): number {
  if (limit >= 0) return limit;
  throw errors.SVC103({ details: 'Limit should be greater than or equal to zero.' });
}

function countEmbeds(root: Draft, { maxDepth, maxEmbeds }: PlanLimits): void {
  let count = 0;
  const visit = (level: Draft, depth: number): void => {
    if (depth > maxDepth) {
      throw errors.SVC129({ details: `Resources are embedded deeper than ${maxDepth} levels.` });
    }
    for (const { draft: child } of level.embeds) {
      count += 1;
      visit(child, depth + 1);
    }
  };
  visit(root, 0);
  if (count > maxEmbeds) {
    throw errors.SVC129({ details: `${count} resources are embedded, the limit is ${maxEmbeds}.` });
  }
}

/** A pattern or a search is work for every row, so a few of them are already slow. */
const PATTERN_WEIGHT = 10;

function countConditions({ conditions }: Query, { maxFilters }: PlanLimits): void {
  const weigh = (term: ConditionTerm): number => {
    if (term.kind === 'logic') return term.terms.reduce((sum, inner) => sum + weigh(inner), 1);
    const { operation } = term;
    if (operation.kind === 'search') return PATTERN_WEIGHT;
    if (operation.kind !== 'compare') return 1;
    const items = operation.quantifier === undefined ? 1 : operation.value.split(',').length;
    return items * (operation.op.endsWith('match') ? PATTERN_WEIGHT : 1);
  };
  const weight = conditions.reduce((sum, { value }) => sum + weigh(value), 0);
  if (weight <= maxFilters) return;
  throw errors.SVC129({
    details: `The filters weigh ${weight}, the limit is ${maxFilters}; a regular expression or a search counts as ${PATTERN_WEIGHT}.`,
  });
}

interface Scope {
  readonly cache: SeenCache;
  readonly limits: PlanLimits;
  readonly schema: string;
}

function resolve(scope: Scope, level: Draft, relation: Relation, source: Source): Level {
  const { cache, limits, schema } = scope;
  const embeds = level.embeds.map(({ item, draft: child }): Embed => {
    const relationship = findRelationship(cache, schema, relation, item.name, item.hint);
    const target = targetOf(cache, source, relationship);
    return {
      name: child.name,
      target: child.target,
      relationship,
      join: target.join,
      toOne: isToOne(relationship),
      inner: item.inner,
      spread: item.spread,
      level: resolve(scope, child, relationship.target, target.source),
    };
  });
  const names = { cache, relation, source, embeds };
  const output = outputOf(names, limits.aggregates, level.select);
  const conditions = level.conditions.map((term) => conditionOf(names, term));
  const grouped = output.some(isGrouped);
  const selected = { columns: source.columns, relation: relation.name, select: level.select };
  const order = grouped
    ? ordersOf(names, groupOrder(selected, level.order))
    : withTieBreak(names, ordersOf(names, level.order));
  const inner = embeds.filter((embed) => embed.inner).map((embed) => ({ kind: 'related', embed }) as const);
  return {
    relation,
    source,
    embeds,
    output,
    keys: outputKeys(output),
    conditions: [...source.conditions, ...conditions, ...inner],
    order,
    limit: smaller(level.limit, limits.maxRows),
    offset: level.offset,
    grouped,
  };
}

/** Aggregates in a spread are computed in its target. */
function isGrouped(item: Output): boolean {
  return item.kind === 'aggregate' || (item.kind === 'spread' && item.embed.level.grouped);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
