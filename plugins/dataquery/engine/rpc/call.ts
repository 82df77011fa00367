/** Calls a function: a table-valued one is read like a relation, a scalar one returns its bare value. */
import type { CatalogFunction } from '../catalog/model.js';
import { relationOf } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { functionSource } from '../plan/function-source.js';
import type { Level, Source } from '../plan/level.js';
import { planRead } from '../plan/plan.js';
import { wholeSource } from '../plan/source.js';
import type { Query } from '../query/query.js';
import type { ReadContext } from '../read/context.js';
import { moduleRows } from '../read/module-rows.js';
import {
  argumentNames,
  asJson,
  asLiterals,
  bindArguments,
  type BoundArguments,
  type GivenArguments,
} from './arguments.js';
import { resolveFunction } from './resolve.js';

export interface Call {
  readonly schema: string;
  readonly name: string;
  readonly given: GivenArguments;
  readonly query: Query;
  /** GET and HEAD: a function that may write is refused. */
  readonly readOnly: boolean;
}

export type CallResult =
  | { readonly kind: 'void' }
  /** JSON texts of the values; without `set` exactly one. */
  | { readonly kind: 'scalars'; readonly texts: readonly string[]; readonly set: boolean }
  /** To be read with `readRows`; `single`: one bare row, or null. */
  | { readonly kind: 'rows'; readonly level: Level; readonly single: boolean };

/** Throws SVC202, SVC203, 25006, 22P02 and whatever planning throws. */
export async function callFunction(context: ReadContext, call: Call): Promise<CallResult> {
  const { catalog } = context.cache;
  const posted = call.given.from === 'body';
  const called = resolveFunction(catalog, call.schema, call.name, argumentNames(call.given), posted);
  if (call.readOnly && called.volatile) throw errors['25006']({ values: { function: called.name } });
  const bound = bindArguments(called, call.given);
  if (called.returns.kind === 'row') return tableResult(context, called, bound, call.query);
  const result = await context.call(called, asJson(bound));
  if (called.returns.kind === 'void') return { kind: 'void' };
  return { kind: 'scalars', texts: scalarTexts(called.returns, result), set: called.returns.set };
}

async function tableResult(
  context: ReadContext,
  called: CatalogFunction,
  bound: BoundArguments,
  query: Query,
): Promise<CallResult> {
  const { catalog } = context.cache;
  if (called.returns.kind !== 'row') throw new TypeError(`${called.name} returns no rows`);
  const relation = relationOf(catalog, called.returns.relation);
  if (relation === undefined)
    throw new TypeError(`${called.name} returns rows of a relation that is not there`);
  const source: Source =
    called.body.kind === 'query'
      ? functionSource(context.cache, called, asLiterals(bound))
      : {
          ...wholeSource(catalog, relation),
          conditions: [],
          rows: moduleRows(relation, await context.call(called, asJson(bound))),
        };
  const level = planRead(context.cache, context.limits, relation, query, source);
  return { kind: 'rows', level, single: !called.returns.set };
}

type ScalarReturns = Extract<CatalogFunction['returns'], { kind: 'scalar' }>;

function scalarTexts({ type, set }: ScalarReturns, result: unknown): string[] {
  const items = set && Array.isArray(result) ? (result as unknown[]) : [result];
  return items.map((value) => {
    const stored = type.fromJson(value ?? null);
    return stored === null ? 'null' : type.toJson(stored);
  });
}
