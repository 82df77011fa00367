/** Rows with long texts: matching a pattern or printing takes milliseconds each, and a request may have hundreds. */
import type { Budget } from '../base/budget.js';
import { oncePer } from '../base/once-per.js';
import type { Condition } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { predicateFor, type Predicate } from './predicate.js';

/** Characters. */
const LONG = 50_000;

export function isLong(row: StoredRow): boolean {
  return isLongIn(row, Object.keys(row));
}

/** Whether these members alone are long. */
export function isLongIn(row: StoredRow, fields: readonly string[]): boolean {
  let characters = 0;
  for (const field of fields) characters += charactersOf(row[field]);
  return characters > LONG;
}

/** About the length of the printed value. */
function charactersOf(value: StoredRow[string] | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if ('json' in value) return value.json.length;
  let characters = value.length;
  for (let at = 0; at < value.length && characters <= LONG; at += 1) characters += charactersOf(value[at]);
  return characters;
}

/** The same as `predicateFor`, yielding to the event loop between two conditions. */
export async function passesInTurns(
  budget: Budget,
  condition: Condition,
  row: StoredRow,
  wanted = true,
): Promise<boolean> {
  switch (condition.kind) {
    case 'not':
      return passesInTurns(budget, condition.condition, row, !wanted);
    case 'and':
    case 'or': {
      const all = (condition.kind === 'and') === wanted;
      for (const part of condition.conditions)
        if ((await passesInTurns(budget, part, row, wanted)) !== all) return !all;
      return all;
    }
    default:
      if (budget.isDue) await budget.pause();
      return (wanted ? holds : fails)(condition)(row);
  }
}

const holds = oncePer((condition: Condition): Predicate => predicateFor(condition, true));
const fails = oncePer((condition: Condition): Predicate => predicateFor(condition, false));
