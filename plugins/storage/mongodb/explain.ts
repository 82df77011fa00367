/** The server's winning plan as the port's `QueryPlan`. */
import type { Document as DriverDocument } from 'mongodb';
import type { QueryPlan } from 'plugboard/sdk';

export function queryPlan(explained: DriverDocument, sorted: boolean): QueryPlan {
  const winning = (explained['queryPlanner'] as DriverDocument | undefined)?.[
    'winningPlan'
  ] as DriverDocument;
  const stages = [...stagesOf(winning ?? {})];
  const has = (name: string): boolean => stages.some(({ stage }) => stage === name);
  const scan = stages.find(({ stage }) => stage === 'IXSCAN');
  const paths = Object.keys((scan?.['keyPattern'] as object | undefined) ?? {}).join(',');
  const byId = has('IDHACK') || paths === '_id';
  return {
    access: byId ? 'id' : scan === undefined ? 'scan' : 'index',
    index: byId || scan === undefined ? null : paths,
    sort: !sorted ? 'none' : has('SORT') ? 'memory' : 'index',
  };
}

/** Searches top down at any depth: sharded and slot-based plans nest their stages one level deeper. */
function* stagesOf(plan: DriverDocument): Generator<DriverDocument> {
  if (typeof plan['stage'] === 'string') yield plan;
  for (const value of Object.values(plan)) {
    if (typeof value === 'object' && value !== null) yield* stagesOf(value as DriverDocument);
  }
}
