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
import { scanRows } from './scan.js';

/** The level's conditions, with every `related` one replaced by the keys of its rows. */
export async function lookUpRelated(context: ReadContext, level: Level): Promise<Condition[]> {
  return Promise.all(level.conditions.map((condition) => lookUp(context, level, condition)));
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
      return relatedKeys(context, level, condition.embed);
    default:
      return condition;
  }
}

/** True of the rows that have at least one row of the embed. */
async function relatedKeys(context: ReadContext, level: Level, embed: Embed): Promise<Condition> {
  const { join } = embed;
  if (join.kind === 'call') return callKeys(context, level, embed);
  const rows = await matchingRows(context, embed.level, join.child);
  const keys =
    join.kind === 'direct'
      ? keysOf(embed, rows, join.child)
      : await keysThroughJunction(context, embed, join, keySet(rows, join.child));
  return { kind: 'keys', fields: join.parent, keys };
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

/** The embed's own window counts: with an offset a parent needs more rows than that. */
function keysOf({ level }: Embed, rows: readonly StoredRow[], fields: readonly string[]): KeySet {
  if (level.limit === 0) return keySet([], fields);
  if (level.offset === 0) return keySet(rows, fields);
  const counts = new Map<Key, number>();
  return keySet(
    rows.filter((row) => {
      const key = keyOf(row, fields);
      if (key === undefined) return false;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > level.offset;
    }),
    fields,
  );
}

type JunctionJoin = Extract<Embed['join'], { kind: 'junction' }>;

async function keysThroughJunction(
  context: ReadContext,
  embed: Embed,
  join: JunctionJoin,
  targets: KeySet,
): Promise<KeySet> {
  const rows = await scanRows(context, {
    source: join.junction,
    conditions: [...join.junction.conditions, { kind: 'keys', fields: join.far, keys: targets }],
    order: [],
    skip: 0,
    limit: undefined,
    inAnyOrder: true,
    fields: new Set([...join.near, ...join.far]),
    computed: [],
  });
  return keysOf(embed, rows, join.near);
}

/** A module's function has to be asked for every row of the parent. */
async function callKeys(context: ReadContext, level: Level, embed: Embed): Promise<Condition> {
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
  const having = parents.filter((parent) => (groups.get(parent)?.length ?? 0) > embed.level.offset);
  return { kind: 'keys', fields: ['_id'], keys: keySet(having, ['_id']) };
}
