/** What applying a new catalog means: nothing to do, work to do, or rows that violate it. */
import type { SchemaState } from '../schema/schema-state.js';
import type { CatalogDifference } from './compare.js';
import { inspect, type EvolutionContext, type Inspection } from './inspect.js';
import { describeKept, keptOf } from './kept.js';
import { relationKey } from './ledger.js';

export interface EvolutionPlan {
  readonly difference: CatalogDifference;
  readonly inspections: readonly Inspection[];
  /** What is kept of undeclared columns and relations, in words. */
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  /** Rows must be inspected, rewritten or indexed before the catalog holds. */
  readonly needsMigration: boolean;
  /** Rows violate it. */
  readonly isBroken: boolean;
}

export async function planEvolution(
  context: Omit<EvolutionContext, 'checks'>,
  difference: CatalogDifference,
  after: SchemaState,
): Promise<EvolutionPlan> {
  const inspections: Inspection[] = [];
  for (const change of difference.relations) {
    inspections.push(await inspect({ ...context, checks: after.checks }, change));
  }
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const one of keptOf(difference.ledger)) {
    const text = await describeKept(context.store, one);
    if (one.droppedAt === null) kept.push(text);
    else dropped.push(`${text}, dropped on ${one.droppedAt.toISOString().slice(0, 10)}`);
  }
  return {
    difference,
    inspections,
    kept,
    dropped,
    needsMigration: inspections.some(({ change, rows }) => rows > 0 && change.work.length > 0),
    isBroken: inspections.some(({ problems }) => problems.length > 0),
  };
}

/** One line for each change and each problem. */
export function planText({ difference, inspections, kept, dropped }: EvolutionPlan): string {
  const lines = [...difference.free];
  for (const { change, rows, problems } of inspections) {
    if (change.isNew && rows === 0) continue;
    const name = relationKey(change.after);
    for (const text of change.free) lines.push(`${name}: ${text}`);
    for (const text of change.work) lines.push(`${name}: ${text}${costOf(rows)}`);
    for (const { constraint, count, keys, shown } of problems) {
      const more = count > shown ? ` and ${count - shown} more` : '';
      lines.push(
        `${name}: BROKEN by ${count} ${count === 1 ? 'row' : 'rows'}: ${constraint}: ${keys.join(', ')}${more}`,
      );
    }
  }
  if (lines.length === 0) lines.push('nothing changes');
  if (kept.length > 0) lines.push(`kept until "catalog migrate --drop NAME": ${kept.join(', ')}`);
  if (dropped.length > 0) lines.push(`deleted a week after it was dropped: ${dropped.join(', ')}`);
  return lines.join('\n');
}

function costOf(rows: number): string {
  return rows === 0 ? '' : ` (${rows} ${rows === 1 ? 'row' : 'rows'})`;
}
