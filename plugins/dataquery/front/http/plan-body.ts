/** A plan in the form of PostgreSQL's `EXPLAIN (ANALYZE)`: as JSON, or as text with a line for each part. */
import type { Described } from '../../engine/read/access/describe.js';
import type { RecordedCall } from '../../engine/read/recorded.js';

export interface Executed {
  /** Decided before the first row was read. */
  readonly access: readonly Described[];
  readonly calls: readonly RecordedCall[];
  /** Of the response. */
  readonly rows: number;
  readonly milliseconds: number;
}

export function planJson({ access, calls, rows, milliseconds }: Executed): string {
  const plans = calls.map((call) => ({
    'Node Type': nodeType(call),
    Operation: call.operation,
    Schema: call.schema,
    'Relation Name': call.relation,
    ...(call.plan.index === null ? {} : { 'Index Name': call.plan.index }),
    Filter: call.filter,
    ...(call.sort === null ? {} : { 'Sort Key': call.sort, 'Sort Method': call.plan.sort }),
    'Actual Loops': call.calls,
    'Actual Rows': call.rows,
    'Actual Total Time': rounded(call.milliseconds),
  }));
  const plan = { 'Node Type': 'Data API', 'Actual Rows': rows, Access: access.map(accessJson), Plans: plans };
  return JSON.stringify([{ Plan: plan, 'Execution Time': rounded(milliseconds) }]);
}

export function planText({ access, calls, rows, milliseconds }: Executed): string {
  const lines = [`Data API  (actual rows=${rows})`, ...access.flatMap((part) => accessLines(part, '  '))];
  for (const call of calls) {
    const index = call.plan.index === null ? '' : ` using ${call.plan.index}`;
    const figures = `actual time=${rounded(call.milliseconds)} rows=${call.rows} loops=${call.calls}`;
    lines.push(
      `  ->  ${nodeType(call)}${index} on ${call.schema}.${call.relation}, ${call.operation}  (${figures})`,
    );
    lines.push(`        Filter: ${call.filter}`);
    if (call.sort !== null) lines.push(`        Sort Key: ${call.sort} (${call.plan.sort})`);
  }
  return [...lines, `Execution Time: ${rounded(milliseconds)} ms`].join('\n');
}

function accessJson({ role, node, reason, estimate, parts }: Described): object {
  return {
    'Node Type': node,
    Role: role,
    Reason: reason,
    ...(estimate === undefined ? {} : { 'Plan Rows': estimate }),
    ...(parts.length === 0 ? {} : { Plans: parts.map(accessJson) }),
  };
}

function accessLines({ role, node, reason, estimate, parts }: Described, indent: string): string[] {
  const rows = estimate === undefined ? '' : `  (rows=${estimate})`;
  return [
    `${indent}${role}: ${node}${rows}: ${reason}`,
    ...parts.flatMap((part) => accessLines(part, `${indent}  `)),
  ];
}

/** All rows in the order of their ids are a sequential scan. */
function nodeType({ plan, filter }: RecordedCall): string {
  if (plan.access === 'index') return 'Index Scan';
  return plan.access === 'id' && filter.includes('"_id"') ? 'Key Lookup' : 'Seq Scan';
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
