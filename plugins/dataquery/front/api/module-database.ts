/** How a trusted module's function reads rows: `films?year=gte.2000&select=id,title`. */
import { planRead } from '../../engine/plan/plan.js';
import { parseQuery } from '../../engine/query/parse.js';
import { readRows } from '../../engine/read/read.js';
import { readContext, type ApiContext } from './context.js';
import { findRelation } from './relation-lookup.js';

/** The rows as plain objects. Throws what a request would be answered. */
export async function readForModule(
  context: ApiContext,
  schema: string,
  request: string,
): Promise<unknown[]> {
  const mark = request.indexOf('?');
  const name = decodeURIComponent(mark === -1 ? request : request.slice(0, mark)).replace(/^\//, '');
  const relation = findRelation(context.state.catalog, schema, name);
  const query = parseQuery(mark === -1 ? '' : request.slice(mark + 1));
  const level = planRead(context.state.cache, { ...context.limits, maxRows: undefined }, relation, query);
  const { batches } = await readRows(readContext(context), level, {
    window: { offset: 0, limit: undefined },
    count: false,
    stripNulls: false,
  });
  const rows: unknown[] = [];
  for await (const batch of batches) rows.push(...batch.map((text) => JSON.parse(text) as unknown));
  return rows;
}
