/** The policies of a table in a write: which of its rows they refuse, and with which error. */
import type { ServiceError } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import type { Rights, Step } from '../plan/rights.js';
import type { ReadContext } from '../read/context.js';
import { passing } from '../read/run/looked.js';
import type { StoredRow } from '../values/stored.js';

export type Refused = ReadonlyMap<StoredRow, ServiceError>;

export interface Guard {
  /** The rows that policies refuse at this step. Other rows that policies use are read within the transaction. */
  refused(step: Step, rows: readonly StoredRow[]): Promise<Refused>;
}

const NONE: Refused = new Map();

export const NO_GUARD: Guard = { refused: () => Promise.resolve(NONE) };

/** `reads`: the write reads or returns rows, so the caller must be allowed to read what it stores. */
export function guardOf(reading: ReadContext, rights: Rights, table: Relation, reads: boolean): Guard {
  return {
    async refused(step, rows) {
      const rules = rows.length === 0 ? [] : rights.rules(table, step, reads);
      if (rules.length === 0) return NONE;
      const refused = new Map<StoredRow, ServiceError>();
      for (const rule of rules) {
        const passed = new Set(await passing(reading, [rule.condition], rows));
        for (const row of rows) {
          if (!passed.has(row) && !refused.has(row)) refused.set(row, rights.refused(table, step, rule));
        }
      }
      return refused;
    },
  };
}

/** Throws the error of the first refused row. */
export async function refuseRows(guard: Guard, step: Step, rows: readonly StoredRow[]): Promise<void> {
  const refused = await guard.refused(step, rows);
  for (const row of rows) {
    const error = refused.get(row);
    if (error !== undefined) throw error;
  }
}
