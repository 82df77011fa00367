/** Which conditions of a scan storage decides, and which are decided here. */
import { oncePer } from '../base/once-per.js';
import { conjuncts, type Condition, type Ordering, type Source } from '../plan/level.js';
import { filterFor, hintFor } from './pushdown.js';
import { allOf, type RowFilter } from './row-filter.js';
import { storageOrder } from './storage-order.js';

export type KeyCondition = Extract<Condition, { kind: 'keys' }>;

/** The part of a scan that says which rows it is about. */
export interface Conditioned {
  readonly source: Source;
  /** Without `related` ones: they have been looked up. */
  readonly conditions: readonly Condition[];
  /** Only rows that have one of these keys. */
  readonly keys?: KeyCondition;
}

/** Whether storage decides the rows, their order and the window, so that a limit bounds what is read. */
export function storageDecides(scan: Conditioned & { readonly order: readonly Ordering[] }): boolean {
  if (scan.source.rows !== undefined || splitConditions(scan.conditions).residual.length > 0) return false;
  return storageOrder(scan.order).kind !== 'memory';
}

/** The filter for the scan's rows, whatever the order and the window; undefined if storage does not decide all. */
export function storageFilter(scan: Conditioned): RowFilter | undefined {
  const { filter, residual } = split(scan);
  return scan.source.rows === undefined && residual.length === 0 ? filter : undefined;
}

/** Conditions by who decides them. */
export interface Split {
  readonly filter: RowFilter;
  readonly residual: readonly Condition[];
}

export function split({ source, conditions, keys }: Conditioned): Split {
  const all = keys === undefined ? conditions : [keys, ...conditions];
  if (source.rows !== undefined) return { filter: {}, residual: conjuncts(all) };
  const plain = splitConditions(conditions);
  if (keys === undefined) return plain;
  const filter = filterFor(keys);
  return filter === undefined
    ? { filter: plain.filter, residual: [keys, ...plain.residual] }
    : { filter: conditions.length === 0 ? filter : allOf([filter, plain.filter]), residual: plain.residual };
}

const splitConditions = oncePer((conditions: readonly Condition[]): Split => {
  const filters: RowFilter[] = [];
  const residual: Condition[] = [];
  const all = conjuncts(conditions);
  const patterns = all.reduce((sum, condition) => sum + patternsIn(condition), 0);
  for (const condition of all) {
    const apart = patterns > MOST_PATTERNS && patternsIn(condition) > 0;
    const filter = apart ? undefined : filterFor(condition);
    const known = filter ?? (apart ? undefined : hintFor(condition));
    if (filter === undefined) residual.push(condition);
    if (known !== undefined) filters.push(known);
  }
  return { filter: allOf(filters), residual };
});

/** Per request that storage decides: it checks a row in one go, however long its texts are. */
const MOST_PATTERNS = 8;

function patternsIn(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.reduce((sum, part) => sum + patternsIn(part), 0);
    case 'not':
      return patternsIn(condition.condition);
    case 'compare':
      return condition.value.ofDocument === true ? 1 : 0;
    default:
      return condition.kind === 'test' && condition.pattern !== undefined ? 1 : 0;
  }
}
