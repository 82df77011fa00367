/** Conditions on rows with long texts: one pattern takes milliseconds there, and a request may have hundreds. */
import type { Budget } from '../base/budget.js';
import { oncePer } from '../base/once-per.js';
import type { Condition } from '../plan/condition.js';
import type { StoredRow } from '../values/stored.js';
import { predicateFor, type Predicate } from './predicate.js';

/** Characters. */
const LONG = 50_000;

export function isLong(row: StoredRow): boolean {
  let characters = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length;
  return characters > LONG;
}

/** What `predicateFor` says, with the event loop given back between two conditions. */
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
