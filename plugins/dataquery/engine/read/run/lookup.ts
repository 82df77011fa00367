/** Turns conditions on related rows into conditions on a level's own columns: `Lookup`. */
import type { Condition, Level } from '../../plan/level.js';
import { keySet } from '../../plan/key-set.js';
import type { KeySets, LookAfter, Lookup, LookAtFew } from '../access/access.js';
import { asksRelated, lookedMembers } from '../access/asked.js';
import type { ReadContext } from '../context.js';
import { scanRows } from '../scan.js';
import { keysOfRelated } from './key-sets.js';
import { passing } from './looked.js';

/** The lookup of an embedded level, decided together with the root's; undefined if no condition needs one. */
export function embeddedLookup(
  { lookups }: ReadContext,
  { conditions, relation }: Level,
): Lookup | LookAfter | undefined {
  if (!conditions.some(asksRelated)) return undefined;
  const lookup = lookups?.get(conditions);
  if (lookup === undefined) throw new TypeError(`how to find the rows of ${relation.name} is undecided`);
  return lookup;
}

/** The conditions of such a level. */
export function embeddedConditions(context: ReadContext, level: Level): Promise<readonly Condition[]> {
  const lookup = embeddedLookup(context, level);
  if (lookup === undefined) return Promise.resolve(level.conditions);
  return ownConditions(context, level, lookup.kind === 'look-after' ? lookup.otherwise : lookup);
}

/**
 * The level's conditions, with every `related` one replaced by the keys of its rows, or by the ids of the rows that
 * pass.
 */
export async function ownConditions(
  context: ReadContext,
  level: Level,
  lookup: Lookup,
): Promise<readonly Condition[]> {
  switch (lookup.kind) {
    case 'own':
      return level.conditions;
    case 'look-at-few': {
      const found = await context.budget.tryWithRows(MOST_ROWS, () => amongFew(context, level, lookup));
      return found ?? ownConditions(context, level, lookup.otherwise);
    }
    case 'key-sets':
      return Promise.all(level.conditions.map((condition) => keyed(context, level, lookup, condition)));
  }
}

/** Related rows of few rows, held at most. */
const MOST_ROWS = 50_000;

async function amongFew(
  context: ReadContext,
  { source }: Level,
  { rows: few, own, asked }: LookAtFew,
): Promise<readonly Condition[]> {
  const rows = await scanRows(context, {
    source,
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

async function keyed(
  context: ReadContext,
  level: Level,
  lookup: KeySets,
  condition: Condition,
): Promise<Condition> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => keyed(context, level, lookup, part));
      return { kind: condition.kind, conditions: await Promise.all(parts) };
    }
    case 'not':
      return { kind: 'not', condition: await keyed(context, level, lookup, condition.condition) };
    case 'related':
      return keysOfRelated(context, level, condition, lookup.keys.get(condition)!, ownConditions);
    default:
      return condition;
  }
}
