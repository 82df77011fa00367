/** Bodies of writes and calls: JSON (the default type), CSV and forms, as rows of named values. */
import { jsonFault } from 'plugboard/sdk';
import { eachPaced, paced, type Budget } from '../../engine/base/budget.js';
import { errors } from '../../engine/base/errors.js';
import { CsvError, CsvReader } from '../../engine/formats/csv.js';
import { parseJsonInSteps } from '../../engine/values/json-text.js';
import type { Row, RowsBody } from '../../engine/write/rows.js';

export interface BodyLimits {
  readonly maxWriteRows: number;
  readonly budget: Budget;
}

/** PostgreSQL's limit of columns in a table. */
const MOST_KEYS = 1_600;

/** Numbers that keep their text, as a double would change them. */
const MOST_LITERALS = 20_000;

/** Characters of a body that takes milliseconds to parse. */
const LARGE = 64 * 1024;

/** The rows of a body. Without `columns` all must have the same keys. Throws SVC102 and SVC129. */
export async function parseRows(
  limits: BodyLimits,
  text: string,
  contentType: string | undefined,
  columns: readonly string[] | undefined,
): Promise<RowsBody> {
  const rows = asRows(await parseBody(limits, text, contentType), limits.maxWriteRows);
  const keys = Object.keys(rows[0] ?? {});
  await eachPaced(limits.budget, rows, (row) => {
    const own = Object.keys(row);
    if (own.length > MOST_KEYS) {
      throw tooManyKeys(own.length);
    }
    if (columns === undefined && !sameKeys(row, own, keys)) {
      throw errors.SVC102({ message: 'All object keys must match' });
    }
  });
  return { rows, keys };
}

/** The value of a body: JSON's, the rows of CSV, the fields of a form. Throws SVC102 and SVC129. */
export async function parseBody(
  limits: BodyLimits,
  text: string,
  contentType: string | undefined,
): Promise<unknown> {
  if (text.length >= LARGE) await limits.budget.pause();
  switch (mediaType(contentType)) {
    case 'text/csv':
      return csvRows(limits, text);
    case 'application/x-www-form-urlencoded':
      return formValue(text);
    case 'json':
      return jsonValue(limits, text);
    default:
      throw errors.SVC102({ message: `Content-Type not acceptable: ${contentType ?? ''}` });
  }
}

function mediaType(contentType: string | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'application/json' || type.endsWith('+json') ? 'json' : type;
}

async function jsonValue({ budget }: BodyLimits, text: string): Promise<unknown> {
  const fault = jsonFault(text);
  if (fault?.kind === 'too large') throw errors.SVC129({ details: `The body is refused: ${fault.reason}.` });
  try {
    return await paced(budget, parseJsonInSteps(text, MOST_LITERALS));
  } catch (cause) {
    if (cause instanceof RangeError)
      throw errors.SVC129({ details: `The body is refused: it holds ${cause.message}.` });
    if (cause instanceof SyntaxError) throw errors.SVC102();
    throw cause;
  }
}

function asRows(value: unknown, most: number): Row[] {
  const rows = Array.isArray(value) ? value : [value];
  if (rows.length > most) throw tooManyRows(most);
  return rows.map((row: unknown) => {
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row;
    throw errors.SVC102({ message: 'All array elements must be objects' });
  });
}

function tooManyRows(most: number): Error {
  return errors.SVC129({
    details: `A body holds at most ${most} rows.`,
    hint: 'Send the rows in several requests, or load a file with `plugboard import rows`.',
  });
}

function tooManyKeys(count: number): Error {
  return errors.SVC102({ message: `An object has ${count} keys, the limit is ${MOST_KEYS}` });
}

/** Without a header, `curl -d` would send a single column with a strange name. */
const JSON_AS_FORM = 'The body is JSON and its Content-Type a form: send Content-Type: application/json';

function formValue(text: string): unknown {
  if (/^\s*[{[]/.test(text)) throw errors.SVC102({ message: JSON_AS_FORM });
  const fields = text.split('&', MOST_KEYS + 1).length;
  if (fields > MOST_KEYS) throw errors.SVC102({ message: `A form has more than ${MOST_KEYS} fields` });
  return Object.fromEntries(new URLSearchParams(text));
}

function sameKeys(row: Row, own: readonly string[], keys: readonly string[]): boolean {
  return own.length === keys.length && keys.every((key) => Object.hasOwn(row, key));
}

/** The word NULL without quotes is null. */
async function csvRows({ budget, maxWriteRows }: BodyLimits, text: string): Promise<Row[]> {
  let names: readonly string[] | undefined;
  const rows: Row[] = [];
  try {
    for (const { cells } of CsvReader.all(text)) {
      if (budget.isDue) await budget.pause();
      if (names === undefined) {
        if (cells.length > MOST_KEYS) throw tooManyKeys(cells.length);
        names = cells.map((cell) => cell.text);
        continue;
      }
      if (cells.length !== names.length)
        throw errors.SVC102({ message: 'All lines must have same number of fields' });
      if (rows.length === maxWriteRows) throw tooManyRows(maxWriteRows);
      const row: Record<string, unknown> = {};
      for (const [at, cell] of cells.entries()) {
        define(row, names[at]!, cell.quoted || cell.text !== 'NULL' ? cell.text : null);
      }
      rows.push(row);
    }
  } catch (error) {
    if (error instanceof CsvError) throw errors.SVC102({ message: `The CSV body: ${error.message}` });
    throw error;
  }
  if (names === undefined) throw errors.SVC102({ message: 'The CSV body has no header line' });
  return rows;
}

/** Also safe for names such as `__proto__`. */
function define(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(row, name, { value, enumerable: true });
  else row[name] = value;
}
