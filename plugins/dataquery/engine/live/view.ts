/** A caller's view of one live relation: its rows by the caller's rights and filter, and the columns to send. */
import { isServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import { mostSimilar } from '../base/similar.js';
import type { Column } from '../catalog/model.js';
import type { Condition, Level } from '../plan/level.js';
import { planRead, type PlanLimits } from '../plan/plan.js';
import { parseQuery } from '../query/parse.js';
import type { SchemaState } from '../schema/schema-state.js';
import { filterQuery } from './filter.js';

/** A part of a client's subscription. */
export interface Wanted {
  readonly schema: string;
  readonly relation: string;
  /** `user_id=eq.5,done=is.false`; empty for all rows. */
  readonly filter: string;
}

export interface LiveView {
  readonly wanted: Wanted;
  /** Of the rows. */
  readonly collection: string;
  /** The caller's rights, those of views, and the filter. */
  readonly conditions: readonly Condition[];
  /** By the name under which they are sent. */
  readonly columns: ReadonlyMap<string, Column>;
}

/** Views of one state, which is a catalog as some callers see it. */
const known = new WeakMap<SchemaState, Map<string, LiveView>>();
const MOST_KNOWN = 1_000;

/** Throws SVC205, SVC132 for a relation that is not live, and what is wrong with the filter. */
export function liveView(state: SchemaState, limits: PlanLimits, wanted: Wanted): LiveView {
  const views = known.get(state) ?? new Map<string, LiveView>();
  known.set(state, views);
  const key = JSON.stringify([wanted.schema, wanted.relation, wanted.filter]);
  const view = views.get(key) ?? makeView(state, limits, wanted);
  if (views.size >= MOST_KNOWN) views.clear();
  views.set(key, view);
  return view;
}

function makeView(state: SchemaState, limits: PlanLimits, wanted: Wanted): LiveView {
  const { schema, relation: name } = wanted;
  const relations = state.catalog.exposed.includes(schema)
    ? state.catalog.schemas.get(schema)?.relations
    : undefined;
  const relation = relations?.get(name);
  if (relation === undefined) {
    const near = mostSimilar(relations?.keys() ?? [], name, 0.75);
    throw errors.SVC205({
      values: { schema, relation: name },
      hint: near === undefined ? null : `Perhaps you meant the table '${schema}.${near}'`,
    });
  }
  const query = { ...parseQuery(filterQuery(wanted.filter)), select: [] };
  const level = planRead(state.cache, limits, relation, query);
  const { stored, unread } = level.source;
  if (!stored.live || stored.collection === undefined)
    throw errors.SVC132({
      values: { schema, relation: name },
      hint: `Write "live: true" at the table "${stored.schema}.${stored.name}" in the catalog.`,
    });
  refuseComputed(level);
  const columns = [...level.source.columns].filter(([column]) => unread?.has(column) !== true);
  return {
    wanted,
    collection: stored.collection,
    conditions: level.conditions,
    columns: new Map(columns),
  };
}

/** The live relations of a schema that the caller may read; none if the schema is not exposed. */
export function liveRelations(state: SchemaState, limits: PlanLimits, schema: string): LiveView[] {
  const relations = [...(state.catalog.schemas.get(schema)?.relations.values() ?? [])];
  return relations
    .filter(({ live }) => live)
    .flatMap(({ name }) => {
      try {
        return [liveView(state, limits, { schema, relation: name, filter: '' })];
      } catch (error) {
        if (isServiceError(error)) return [];
        throw error;
      }
    });
}

/** Computed columns are evaluated for reads, and not for each change. */
function refuseComputed({ conditions }: Level): void {
  const isComputed = (condition: Condition): boolean => {
    if ('conditions' in condition) return condition.conditions.some(isComputed);
    if ('condition' in condition) return isComputed(condition.condition);
    return 'value' in condition && condition.value.computed !== undefined;
  };
  if (conditions.some(isComputed))
    throw errors.SVC127({ details: 'Changes are not filtered by a computed column.' });
}
