/** For the server's own work and the operator's: the limits of a request do not apply. */
import { Budget } from './budget.js';

const A_DAY = 86_400_000;
/** As a limit that a store takes: what is left of it bounds the rows that a cascade reads. */
const MOST = 1e9;

export function unboundedBudget(): Budget {
  return new Budget({
    rows: Infinity,
    characters: Infinity,
    writtenRows: MOST,
    writtenCharacters: Infinity,
    milliseconds: A_DAY,
  });
}
