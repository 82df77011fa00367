/**
 * Inner joins and null filters: conditions on the rows of other relations become sets of keys. Each relation is
 * asked once, from the leaves up, however many rows there are.
 */
import { eachPaced } from '../base/budget.js';
import type { Condition, Level, Related, Source } from '../plan/level.js';
import { groupByKey, keyOf, keyOfValues, keySet, type Key, type KeySet } from '../plan/key-set.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { callPerRow } from './call-join.js';
import { asksRelated, AT_LEAST_ONE, wanted, type Wanted } from './asked.js';
import type { ReadContext } from './context.js';
import { coveringKey } from './covering.js';
import { fewRows, hasFewRelated, rowsOfFewKeys } from './few-rows.js';
import { canLook, lookedMembers, passing } from './looked.js';
import type { RowFilter } from './row-filter.js';
import { eachRow, scanRows, storageFilter } from './scan.js';

/** The level's conditions, with every `related` one replaced by the keys of its rows, or by the ids of the rows that pass. */
export async function lookUpRelated(context: ReadContext, level: Level): Promise<readonly Condition[]> {
  if (!level.conditions.some(asksRelated)) return level.conditions;
  const few = await context.budget.tryWithRows(MOST_ROWS, () => amongFew(context, level));
  return few ?? Promise.all(level.conditions.map((condition) => lookUp(context, level, condition)));
}

/** Related rows of few that are held at most. */
const MOST_ROWS = 50_000;
/** So few rows are looked at even where few rows are related to any. */
const LEAST = 100;

/** Where the level's own conditions leave few rows, which of those pass: the other side may have as many as it likes. */
async function amongFew(context: ReadContext, level: Level): Promise<readonly Condition[] | undefined> {
  const own = level.conditions.filter((condition) => !asksRelated(condition));
  if (own.length === 0 || !canLook(level)) return undefined;
  const few = await fewRows(context, level);
  if (few === undefined || (few.length > LEAST && (await hasFewRelated(context, level)))) return undefined;
  const asked = level.conditions.filter(asksRelated);
  const rows = await scanRows(context, {
    source: level.source,
    conditions: own,
    keys: { kind: 'keys', fields: ['_id'], keys: keySet(few, ['_id']) },
    order: [],
    inAnyOrder: true,
    skip: 0,
    limit: undefined,
    fields: lookedMembers(asked),
    computed: [],
  });
  const keys = keySet(await passing(context, asked, rows), ['_id']);
  return [...own, { kind: 'keys', fields: ['_id'], keys }];
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

/** True of the rows that have as many rows of the embed as are wanted. Those that have none are in no key set. */
async function relatedKeys(
  context: ReadContext,
  level: Level,
  embed: Related,
  isWanted: Wanted,
): Promise<Condition> {
  const { join } = embed;
  if (join.kind === 'call') return callKeys(context, level, embed, isWanted);
  const withNone = isWanted(0);
  const listed: Wanted = withNone ? (rows) => !isWanted(rows) : isWanted;
  const keys =
    join.kind === 'direct'
      ? await childKeys(context, embed.level, join.child, listed)
      : await keysThroughJunction(
          context,
          join,
          await childKeys(context, embed.level, join.child, AT_LEAST_ONE),
          listed,
        );
  const ofOneRow = isReferenced(level.source, join, embed.level.source);
  const condition: Condition = { kind: 'keys', fields: join.parent, keys, ofOneRow };
  return withNone ? { kind: 'not', condition } : condition;
}

/** Whether the members by which a parent has its rows are those of a foreign key, which has no key without a parent. */
function isReferenced({ stored: parent }: Source, join: Related['join'], { stored: child }: Source): boolean {
  if (join.kind !== 'direct' || parent.kind !== 'table' || child.kind !== 'table') return false;
  return child.foreignKeys.some(({ columns, references: { schema, relation, columns: referenced } }) => {
    if (schema !== parent.schema || relation !== parent.name) return false;
    const pairs = columns.map((name, at) => [
      child.columns.get(name)?.field,
      parent.columns.get(referenced[at]!)?.field,
    ]);
    return (
      pairs.length === join.child.length &&
      join.child.every((field, at) => pairs.some(([of, to]) => of === field && to === join.parent[at]))
    );
  });
}

/** The keys of a level's rows, of those that were read when the sides of the join were compared where that is known. */
async function childKeys(
  context: ReadContext,
  level: Level,
  fields: readonly string[],
  isWanted: Wanted,
): Promise<KeySet> {
  const { source } = level;
  const conditions = await lookUpRelated(context, level);
  const few = await context.few?.get(level);
  const isKnown =
    few !== undefined &&
    !level.conditions.some(asksRelated) &&
    storageFilter({ source, conditions }) !== undefined &&
    few.every((row) => fields.every((field) => row[field] !== undefined));
  if (isKnown) return keysAmong(few, fields, isWanted);
  return keysOf(context, { source, conditions }, fields, isWanted);
}

/** The keys that so many of the rows have. */
function keysAmong(rows: readonly StoredRow[], fields: readonly string[], isWanted: Wanted): KeySet {
  const rowsOf = groupByKey(rows, fields);
  return keySet(
    [...rowsOf.values()].flatMap((group) => (isWanted(group.length) ? group.slice(0, 1) : [])),
    fields,
  );
}

type KeyScan = Omit<Parameters<typeof eachRow>[1], 'fields'>;

/** The keys that so many of the rows have; the rows themselves are not kept, and where storage can it sends keys alone. */
async function keysOf(
  context: ReadContext,
  scan: KeyScan,
  fields: readonly string[],
  isWanted: Wanted,
): Promise<KeySet> {
  const filter = storageFilter(scan);
  if (filter !== undefined && fields.every((field) => isScalar(scan.source, field))) {
    const asked = scan.keys === undefined ? scan.conditions : [scan.keys, ...scan.conditions];
    const few = await rowsOfFewKeys(context, { source: scan.source, conditions: asked }, filter, fields);
    return few === undefined
      ? groupedKeys(context, scan, filter, fields, isWanted)
      : keysAmong(few, fields, isWanted);
  }
  const found = new Map<Key, { readonly tuple: readonly Stored[]; rows: number }>();
  await eachRow(context, { ...scan, fields: new Set(fields), withoutIds: true }, (row) => {
    const key = keyOf(row, fields);
    if (key === undefined) return;
    const known = found.get(key);
    if (known === undefined) found.set(key, { tuple: fields.map((field) => row[field]!), rows: 1 });
    else known.rows += 1;
  });
  const keys = [...found].filter(([, { rows }]) => isWanted(rows));
  return { keys: new Set(keys.map(([key]) => key)), tuples: keys.map(([, { tuple }]) => tuple) };
}

async function groupedKeys(
  context: ReadContext,
  { source }: KeyScan,
  filter: RowFilter,
  fields: readonly string[],
  isWanted: Wanted,
): Promise<KeySet> {
  const present = coveringKey(source.stored, filter, fields);
  const groups = await context.budget.interrupting((signal) =>
    context.collection(source.stored).group(filter, { by: fields, present, inAnyOrder: true, signal }),
  );
  const keys = new Set<Key>();
  const tuples: (readonly Stored[])[] = [];
  await eachPaced(context.budget, groups, ({ by, count }) => {
    if (!isWanted(count)) return;
    const key = keyOfValues(by as readonly (Stored | null)[]);
    if (key === undefined) return;
    keys.add(key);
    tuples.push(by as readonly Stored[]);
  });
  return { keys, tuples };
}

/** Storage groups arrays and documents as they lie, not by their text. */
function isScalar({ stored }: Source, field: string): boolean {
  for (const { field: own, type } of stored.columns.values()) {
    if (own === field) return type.family !== 'array' && type.family !== 'unknown';
  }
  return false;
}

type JunctionJoin = Extract<Related['join'], { kind: 'junction' }>;

async function keysThroughJunction(
  context: ReadContext,
  join: JunctionJoin,
  targets: KeySet,
  isWanted: Wanted,
): Promise<KeySet> {
  const { junction, far, near } = join;
  const keys = { kind: 'keys', fields: far, keys: targets } as const;
  const conditions = await lookUpRelated(context, junction);
  const scan: KeyScan = { source: junction.source, conditions, keys };
  return keysOf(context, scan, near, isWanted);
}

/** A module's function has to be asked for every row of the parent. */
async function callKeys(
  context: ReadContext,
  level: Level,
  embed: Related,
  isWanted: Wanted,
): Promise<Condition> {
  const parents = await scanRows(context, {
    source: level.source,
    conditions: await lookUpRelated(context, { ...level, conditions: level.source.conditions }),
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
