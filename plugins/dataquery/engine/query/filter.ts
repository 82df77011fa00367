/** One filter parameter: `column=not.eq.value`. */
import { readOperation, type NegatableOperation } from './operation.js';
import { Scanner } from './scanner.js';

export function parseOperation(text: string): NegatableOperation {
  const scan = new Scanner(text, `failed to parse filter (${text})`);
  return readOperation(scan, (rest) => rest.takeRest());
}

const OPERATION =
  /^(not\.)?((eq|gte?|lte?|i?like|i?match)(\((any|all)\))?|neq|in|is|isdistinct|cs|cd|ov|sl|sr|nxr|nxl|adj|count\.(eq|neq|gte?|lte?)|(pl|ph|w)?fts(\([^)]*\))?)\./;

/** Whether a parameter of a function call is a filter on its result rather than an argument. */
export function looksLikeOperation(text: string): boolean {
  return OPERATION.test(text);
}
