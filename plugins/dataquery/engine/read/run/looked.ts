/** Conditions on related rows from the parents' side: which of some rows have related rows. */
import { filterPaced } from '../../base/budget.js';
import type { Condition, Level, Related } from '../../plan/level.js';
import { keyOf, keySet, type Key, type KeySet } from '../../plan/key-set.js';
import type { Stored, StoredRow } from '../../values/stored.js';
import { asksRelated, AT_LEAST_ONE, lookedMembers, wanted, type Wanted } from '../access/asked.js';
import type { ReadContext } from '../context.js';
import { firstOfKeys, rowsOfKeys, type KeyedScan } from '../keyed-rows.js';
import { predicateFor } from '../predicate.js';

/** The rows of which the conditions are true. */
export async function passing(
  context: ReadContext,
  conditions: readonly Condition[],
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  if (conditions.length === 0 || rows.length === 0) return [...rows];
  const known = await Promise.all(conditions.map((condition) => looked(context, condition, rows)));
  const tests = known.map((condition) => predicateFor(condition));
  return filterPaced(context.budget, rows, (row) => tests.every((test) => test(row)));
}

async function looked(
  context: ReadContext,
  condition: Condition,
  rows: readonly StoredRow[],
): Promise<Condition> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { kind } = condition;
      const conditions = await Promise.all(condition.conditions.map((part) => looked(context, part, rows)));
      return { kind, conditions };
    }
    case 'not':
      return { kind: 'not', condition: await looked(context, condition.condition, rows) };
    case 'related':
      return relatedOf(context, condition.embed, wanted(condition), rows);
    default:
      return condition;
  }
}

/** True of these rows if they have the wanted number of the embed's; says nothing of others. */
async function relatedOf(
  context: ReadContext,
  embed: Related,
  isWanted: Wanted,
  parents: readonly StoredRow[],
): Promise<Condition> {
  const { join } = embed;
  if (join.kind === 'call') throw new TypeError('rows of a module are not looked for by keys');
  const parentKeys = keySet(parents, join.parent);
  const counts = new Map<Key, number>();
  const count = (key: Key | undefined): void => {
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  if (join.kind === 'direct') {
    for (const row of await childrenOf(context, embed.level, join.child, parentKeys, isWanted)) {
      count(keyOf(row, join.child));
    }
  } else {
    const { junction, near, far, child } = join;
    const links = await allOfKeys(context, junction, near, parentKeys, far);
    const targets = await childrenOf(context, embed.level, child, keySet(links, far), AT_LEAST_ONE);
    const there = keySet(targets, child).keys;
    for (const link of links) {
      const key = keyOf(link, far);
      if (key !== undefined && there.has(key)) count(keyOf(link, near));
    }
  }
  // A row with a null in its key has no related rows, and is in no key set.
  const withNone = isWanted(0);
  const listed: Wanted = withNone ? (rows) => !isWanted(rows) : isWanted;
  const condition: Condition = {
    kind: 'keys',
    fields: join.parent,
    keys: withWanted(parentKeys, counts, listed),
  };
  return withNone ? { kind: 'not', condition } : condition;
}

function withWanted({ keys, tuples }: KeySet, counts: ReadonlyMap<Key, number>, isWanted: Wanted): KeySet {
  const chosen = new Set<Key>();
  const kept: (readonly Stored[])[] = [];
  for (const [at, key] of [...keys].entries()) {
    if (!isWanted(counts.get(key) ?? 0)) continue;
    chosen.add(key);
    kept.push(tuples[at]!);
  }
  return { keys: chosen, tuples: kept };
}

/** The rows of a level that have one of the keys and pass its conditions; one of each key if that is enough. */
async function childrenOf(
  context: ReadContext,
  level: Level,
  fields: readonly string[],
  keys: KeySet,
  isWanted: Wanted,
): Promise<StoredRow[]> {
  if (isWanted !== AT_LEAST_ONE || level.conditions.some(asksRelated) || keys.tuples.length === 0)
    return allOfKeys(context, level, fields, keys);
  const { source, conditions } = level;
  const scan = keyedScan({ source, conditions, fields: new Set(fields) });
  return firstOfKeys(context, { ...scan, limit: 1 }, fields, keys);
}

/** All of them, with these members in addition to the keys. */
async function allOfKeys(
  context: ReadContext,
  { source, conditions }: Level,
  fields: readonly string[],
  keys: KeySet,
  members: readonly string[] = [],
): Promise<StoredRow[]> {
  if (keys.tuples.length === 0) return [];
  const asked = conditions.filter(asksRelated);
  const scan = keyedScan({
    source,
    conditions: conditions.filter((condition) => !asksRelated(condition)),
    fields: new Set([...fields, ...members, ...lookedMembers(asked)]),
  });
  return passing(context, asked, await rowsOfKeys(context, scan, fields, keys));
}

function keyedScan(scan: Pick<KeyedScan, 'source' | 'conditions' | 'fields'>): KeyedScan {
  return { ...scan, order: [], limit: undefined, withoutIds: true, computed: [] };
}
