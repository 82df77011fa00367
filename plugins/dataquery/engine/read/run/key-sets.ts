/** The keys of the rows that have related rows: `KeyAccess`. */
import { eachPaced } from '../../base/budget.js';
import type { Condition, Level, Related, Source } from '../../plan/level.js';
import { groupByKey, keyOf, keyOfValues, keySet, type Key, type KeySet } from '../../plan/key-set.js';
import type { Stored, StoredRow } from '../../values/stored.js';
import type { DirectKeys, KeyAccess, Lookup, RelatedCondition } from '../access/access.js';
import { AT_LEAST_ONE, wanted, type Wanted } from '../access/asked.js';
import { isServed } from '../access/index-use.js';
import { parentsOfCall } from '../access/lookup.js';
import type { ReadContext } from '../context.js';
import { coveringKey } from '../covering.js';
import type { RowFilter } from '../row-filter.js';
import { eachRow, scanRows } from '../scan.js';
import { storageFilter, type Conditioned, type KeyCondition } from '../split.js';
import { callPerRow } from './call-join.js';
import { fewOf } from './sample.js';

/** Looks up a level's conditions on related rows. */
type LookUp = (context: ReadContext, level: Level, lookup: Lookup) => Promise<readonly Condition[]>;

/** True of rows with the wanted number of the embed's rows. Rows without any are in no key set. */
export async function keysOfRelated(
  context: ReadContext,
  level: Level,
  condition: RelatedCondition,
  access: KeyAccess,
  lookUp: LookUp,
): Promise<Condition> {
  const { embed } = condition;
  const { join } = embed;
  const isWanted = wanted(condition);
  const withNone = isWanted(0);
  const listed: Wanted = withNone ? (rows) => !isWanted(rows) : isWanted;
  const found = async (): Promise<KeySet> => {
    switch (access.kind) {
      case 'called':
        return keysOfCalls(context, level, embed, access, listed, lookUp);
      case 'through': {
        if (join.kind !== 'junction') throw new TypeError('the rows do not meet in a junction');
        const targets = await keysOfRows(
          context,
          embed.level,
          join.child,
          access.target,
          AT_LEAST_ONE,
          lookUp,
        );
        const keys = { kind: 'keys', fields: join.far, keys: targets } as const;
        return keysOfRows(context, join.junction, join.near, access.links, listed, lookUp, keys);
      }
      default:
        if (join.kind !== 'direct') throw new TypeError('the rows are not related by their own keys');
        return keysOfRows(context, embed.level, join.child, access, listed, lookUp);
    }
  };
  const ofOneRow = isReferenced(level.source, join, embed.level.source);
  const fields = join.kind === 'call' ? ['_id'] : join.parent;
  const keys: Condition = { kind: 'keys', fields, keys: await found(), ofOneRow };
  return withNone ? { kind: 'not', condition: keys } : keys;
}

/** Whether the join's members are those of a foreign key, which has no key without a parent. */
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

/** The keys of a level's rows, limited to the given ones. */
async function keysOfRows(
  context: ReadContext,
  level: Level,
  fields: readonly string[],
  access: DirectKeys,
  isWanted: Wanted,
  lookUp: LookUp,
  keys?: KeyCondition,
): Promise<KeySet> {
  if (access.kind === 'sampled-keys') return keysAmong(access.rows, fields, isWanted);
  const conditions = await lookUp(context, level, access.lookup);
  const scan: Conditioned = { source: level.source, conditions, ...(keys && { keys }) };
  // The other side may have too many keys to send.
  const filter = access.kind === 'stored-keys' ? storageFilter(scan) : undefined;
  return filter === undefined
    ? keysRowByRow(context, scan, fields, isWanted)
    : storedKeys(context, scan, filter, fields, isWanted);
}

/** Up to this many keys, rows are read before they are grouped: for small groups, grouping in storage is slower. */
const FEW_KEYS = 100;

async function storedKeys(
  context: ReadContext,
  scan: Conditioned,
  filter: RowFilter,
  fields: readonly string[],
  isWanted: Wanted,
): Promise<KeySet> {
  const asked = scan.keys === undefined ? scan.conditions : [scan.keys, ...scan.conditions];
  const numbers = asked.flatMap((one) => (one.kind === 'keys' ? [one.keys.tuples.length] : []));
  const least = Math.min(...numbers, Infinity);
  if (least === 0) return keySet([], fields);
  if (least <= FEW_KEYS && isServed(context.cache.catalog, scan.source.stored, filter)) {
    const few = await fewOf(context, scan, filter, fields);
    if (few !== undefined) return keysAmong(few, fields, isWanted);
  }
  return groupedKeys(context, scan, filter, fields, isWanted);
}

/** The keys shared by the wanted number of rows. */
function keysAmong(rows: readonly StoredRow[], fields: readonly string[], isWanted: Wanted): KeySet {
  const rowsOf = groupByKey(rows, fields);
  return keySet(
    [...rowsOf.values()].flatMap((group) => (isWanted(group.length) ? group.slice(0, 1) : [])),
    fields,
  );
}

/** The rows themselves are not kept. */
async function keysRowByRow(
  context: ReadContext,
  scan: Conditioned,
  fields: readonly string[],
  isWanted: Wanted,
): Promise<KeySet> {
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
  { source }: Conditioned,
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

/** A module's function has to be called for every row of the parent. */
async function keysOfCalls(
  context: ReadContext,
  level: Level,
  embed: Related,
  access: Extract<KeyAccess, { kind: 'called' }>,
  isWanted: Wanted,
  lookUp: LookUp,
): Promise<KeySet> {
  const parents = await scanRows(context, {
    source: level.source,
    conditions: await lookUp(context, parentsOfCall(level), access.parents),
    order: [],
    skip: 0,
    limit: undefined,
    fields: undefined,
    computed: [],
  });
  const conditions = await lookUp(context, embed.level, access.related);
  const groups = await callPerRow(context, level, embed, conditions, parents);
  const having = parents.filter((parent) => isWanted(groups.get(parent)?.length ?? 0));
  return keySet(having, ['_id']);
}
