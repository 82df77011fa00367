/**
 * Inner joins and null filters: conditions on the rows of other relations become sets of keys. Each relation is
 * asked once, from the leaves up, however many rows there are.
 */
import type { Condition } from '../plan/condition.js';
import { keyOf, keySet, type Key, type KeySet } from '../plan/key-set.js';
import type { Embed, Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { callPerRow } from './call-join.js';
import type { ReadContext } from './context.js';
import { linkFields } from './fields.js';
import { COMPARISONS } from './predicate.js';
import { scanRows } from './scan.js';

/** The level's conditions, with every `related` one replaced by the keys of its rows. */
export async function lookUpRelated(context: ReadContext, level: Level): Promise<readonly Condition[]> {
  if (!level.conditions.some(asksRelated)) return level.conditions;
  return Promise.all(level.conditions.map((condition) => lookUp(context, level, condition)));
}

function asksRelated(condition: Condition): boolean {
  if ('conditions' in condition) return condition.conditions.some(asksRelated);
  if ('condition' in condition) return asksRelated(condition.condition);
  return condition.kind === 'related';
}

async function lookUp(context: ReadContext, level: Level, condition: Condition): Promise<Condition> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { kind } = condition;
      return {
        kind,
        conditions: await Promise.all(condition.conditions.map((part) => lookUp(context, level, part))),
      };
    }
    case 'not':
      return { kind: 'not', condition: await lookUp(context, level, condition.condition) };
    case 'related':
      return relatedKeys(context, level, condition.embed, wanted(condition));
    default:
      return condition;
  }
}

/** Whether a parent may have so many rows of the embed. */
type Wanted = (rows: number) => boolean;

const AT_LEAST_ONE: Wanted = (rows) => rows > 0;

/** Without a count at least one, where the embed's own window counts: with an offset more rows than that. */
function wanted({ embed: { level }, count }: Extract<Condition, { kind: 'related' }>): Wanted {
  if (count === undefined && level.limit !== 0 && level.offset === 0) return AT_LEAST_ONE;
  if (count === undefined) return (rows) => level.limit !== 0 && rows > level.offset;
  const holds = COMPARISONS[count.op];
  return (rows) => holds(rows - count.operand);
}

/** True of the rows that have as many rows of the embed as are wanted. Those that have none are in no key set. */
async function relatedKeys(
  context: ReadContext,
  level: Level,
  embed: Embed,
  isWanted: Wanted,
): Promise<Condition> {
  const { join } = embed;
  if (join.kind === 'call') return callKeys(context, level, embed, isWanted);
  const withNone = isWanted(0);
  const listed: Wanted = withNone ? (rows) => !isWanted(rows) : isWanted;
  const rows = await matchingRows(context, embed.level, join.child);
  const keys =
    join.kind === 'direct'
      ? keysOf(rows, join.child, listed)
      : await keysThroughJunction(context, join, keySet(rows, join.child), listed);
  const condition: Condition = { kind: 'keys', fields: join.parent, keys };
  return withNone ? { kind: 'not', condition } : condition;
}

/** All rows of a level that pass its conditions, reduced to some members. */
async function matchingRows(
  context: ReadContext,
  level: Level,
  fields: readonly string[],
): Promise<StoredRow[]> {
  return scanRows(context, {
    source: level.source,
    conditions: await lookUpRelated(context, level),
    order: [],
    skip: 0,
    limit: undefined,
    inAnyOrder: true,
    fields: new Set(fields),
    computed: [],
  });
}

/** The keys that so many of the rows have. */
function keysOf(rows: readonly StoredRow[], fields: readonly string[], isWanted: Wanted): KeySet {
  if (isWanted === AT_LEAST_ONE) return keySet(rows, fields);
  const counts = new Map<Key, number>();
  for (const row of rows) {
    const key = keyOf(row, fields);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return keySet(
    rows.filter((row) => {
      const key = keyOf(row, fields);
      return key !== undefined && isWanted(counts.get(key) ?? 0);
    }),
    fields,
  );
}

type JunctionJoin = Extract<Embed['join'], { kind: 'junction' }>;

async function keysThroughJunction(
  context: ReadContext,
  join: JunctionJoin,
  targets: KeySet,
  isWanted: Wanted,
): Promise<KeySet> {
  const rows = await scanRows(context, {
    source: join.junction,
    conditions: join.junction.conditions,
    keys: { kind: 'keys', fields: join.far, keys: targets },
    order: [],
    skip: 0,
    limit: undefined,
    inAnyOrder: true,
    fields: linkFields(join),
    computed: [],
  });
  return keysOf(rows, join.near, isWanted);
}

/** A module's function has to be asked for every row of the parent. */
async function callKeys(
  context: ReadContext,
  level: Level,
  embed: Embed,
  isWanted: Wanted,
): Promise<Condition> {
  const parents = await scanRows(context, {
    source: level.source,
    conditions: level.source.conditions,
    order: [],
    skip: 0,
    limit: undefined,
    fields: undefined,
    computed: [],
  });
  const conditions = await lookUpRelated(context, embed.level);
  const groups = await callPerRow(context, level, embed, conditions, parents);
  const having = parents.filter((parent) => isWanted(groups.get(parent)?.length ?? 0));
  return { kind: 'keys', fields: ['_id'], keys: keySet(having, ['_id']) };
}
