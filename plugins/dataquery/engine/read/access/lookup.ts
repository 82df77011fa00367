/** Decides how conditions on related rows become conditions on a level's own columns: from which side to start. */
import { oncePer } from '../../base/once-per.js';
import type { Condition, Embed, Level, Related, Source } from '../../plan/level.js';
import { storageFilter, type Conditioned } from '../split.js';
import type {
  DirectKeys,
  KeyAccess,
  KeySets,
  LookAfter,
  Lookup,
  Lookups,
  RelatedCondition,
  RowKeys,
  StoredKeys,
} from './access.js';
import { asksRelated, canLook, lookedMembers, wanted } from './asked.js';
import { hasFewRelated, type Statistics } from './statistics.js';

const OWN: Lookup = { kind: 'own', reason: 'no condition asks of related rows', estimate: 0 };
/** Up to this many rows are checked even if few rows are related to any. */
const LEAST = 100;

export function decideLookup(statistics: Statistics, level: Level): Lookup {
  if (!level.conditions.some(asksRelated)) return OWN;
  const own = level.conditions.filter((condition) => !asksRelated(condition));
  const rows = own.length > 0 && canLook(level) ? statistics.few(level) : undefined;
  if (rows === undefined || (rows.length > LEAST && hasFewRelated(statistics, level)))
    return decideKeySets(statistics, level);
  return {
    kind: 'look-at-few',
    reason: 'the conditions of its own columns leave few rows',
    estimate: rows.length,
    rows,
    own,
    asked: level.conditions.filter(asksRelated),
    otherwise: decideKeySets(statistics.settled(), level),
  };
}

export function decideKeySets(statistics: Statistics, level: Level): KeySets {
  const keys = new Map<RelatedCondition, KeyAccess>();
  const decide = (condition: Condition): void => {
    if ('conditions' in condition) condition.conditions.forEach(decide);
    else if ('condition' in condition) decide(condition.condition);
    else if (condition.kind === 'related')
      keys.set(condition, decideKeys(statistics, level, condition.embed));
  };
  level.conditions.forEach(decide);
  return {
    kind: 'key-sets',
    reason: 'the keys of the related rows say which rows pass',
    estimate: undefined,
    keys,
  };
}

function decideKeys(statistics: Statistics, level: Level, { join, level: related }: Related): KeyAccess {
  switch (join.kind) {
    case 'call':
      return {
        kind: 'called',
        reason: 'a function makes the related rows of each row',
        estimate: undefined,
        parents: decideLookup(statistics, parentsOfCall(level)),
        related: decideLookup(statistics, related),
      };
    case 'direct':
      return keysOfRows(statistics, related, join.child);
    case 'junction':
      return {
        kind: 'through',
        reason: 'the junction leads from the related rows to these',
        estimate: undefined,
        target: keysOfRows(statistics, related, join.child),
        links: readKeys(statistics, join.junction, join.near),
      };
  }
}

/** All rows that a function may be called for: which of them pass is unknown beforehand. */
export function parentsOfCall(level: Level): Level {
  return { ...level, conditions: level.source.conditions };
}

function keysOfRows(statistics: Statistics, level: Level, fields: readonly string[]): DirectKeys {
  const rows = statistics.known(level);
  const isWhole = !level.conditions.some(asksRelated) && storageFilter(supposed(level)) !== undefined;
  if (rows !== undefined && isWhole && rows.every((row) => fields.every((field) => row[field] !== undefined)))
    return { kind: 'sampled-keys', reason: 'few related rows, already read', estimate: rows.length, rows };
  return readKeys(statistics, level, fields);
}

function readKeys(statistics: Statistics, level: Level, fields: readonly string[]): StoredKeys | RowKeys {
  const lookup = decideLookup(statistics, level);
  return storageFilter(supposed(level)) !== undefined &&
    fields.every((field) => isScalar(level.source, field))
    ? { kind: 'stored-keys', reason: 'storage decides all conditions', estimate: undefined, lookup }
    : { kind: 'row-keys', reason: 'not all conditions are up to storage', estimate: undefined, lookup };
}

/** Storage groups arrays and documents as stored, not by their text. */
function isScalar({ stored }: Source, field: string): boolean {
  for (const { field: own, type } of stored.columns.values()) {
    if (own === field) return type.family !== 'array' && type.family !== 'unknown';
  }
  return false;
}

/** The level's conditions as they will be when its related rows are known, assuming few enough keys to send. */
export function supposed({ source, conditions }: Level): Conditioned {
  return { source, conditions: supposedConditions(conditions) };
}

const supposedConditions = oncePer((conditions: readonly Condition[]) =>
  conditions.some(asksRelated) ? conditions.map(supposedCondition) : conditions,
);

function supposedCondition(condition: Condition): Condition {
  if ('conditions' in condition)
    return { kind: condition.kind, conditions: condition.conditions.map(supposedCondition) };
  if ('condition' in condition) return { kind: 'not', condition: supposedCondition(condition.condition) };
  if (condition.kind !== 'related') return condition;
  const { join } = condition.embed;
  const fields = join.kind === 'call' ? ['_id'] : join.parent;
  const keys: Condition = { kind: 'keys', fields, keys: { keys: new Set(), tuples: [fields.map(() => '')] } };
  return wanted(condition)(0) ? { kind: 'not', condition: keys } : keys;
}

/** Lookups of the levels that are printed or ordered by. */
export function decideLookups(statistics: Statistics, level: Level): Lookups {
  const lookups = new Map<Level['conditions'], Lookup | LookAfter>();
  const visit = ({ join, level: child }: Embed): void => {
    if (asksAny(child))
      lookups.set(
        child.conditions,
        join.kind === 'call' ? decideLookup(statistics, child) : decideEmbedded(statistics, child),
      );
    if (join.kind === 'junction' && asksAny(join.junction))
      lookups.set(join.junction.conditions, decideLookup(statistics, join.junction));
    followed(child).forEach(visit);
  };
  followed(level).forEach(visit);
  return lookups;
}

/** The embeds whose rows are read. */
export function followed({ output, order }: Level): ReadonlySet<Embed> {
  const printed = output.flatMap((item) => ('embed' in item ? [item.embed] : []));
  return new Set([...printed, ...order.flatMap(({ through }) => through.slice(0, 1))]);
}

function asksAny({ conditions }: Level): boolean {
  return conditions.some(asksRelated);
}

/** A window per parent needs rows that pass: for a small one, all that pass are found first. */
const WIDE = 1_000;

function decideEmbedded(statistics: Statistics, level: Level): Lookup | LookAfter {
  const { limit, conditions } = level;
  const isNarrow = limit !== undefined && limit < WIDE;
  if (isNarrow || !canLook(level) || hasFewRelated(statistics, level)) return decideLookup(statistics, level);
  const asked = conditions.filter(asksRelated);
  return {
    kind: 'look-after',
    reason: 'the rows of the parents are fewer than all, and no side has few related rows',
    estimate: undefined,
    own: conditions.filter((condition) => !asksRelated(condition)),
    asked,
    members: lookedMembers(asked),
    otherwise: decideLookup(statistics.settled(), level),
  };
}
