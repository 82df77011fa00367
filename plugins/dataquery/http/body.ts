/** Bodies of writes and of calls: JSON (also when no type is given), CSV and forms, as rows of named values. */
import { errors } from '../errors.js';
import { parseJson } from '../values/json-text.js';
import { parseCsv } from './csv.js';

export type Row = Readonly<Record<string, unknown>>;

export interface RowsBody {
  readonly rows: readonly Row[];
  /** The keys that every row has, in the order of the first. */
  readonly keys: readonly string[];
}

/** The rows of a body. Without `columns` all must have the same keys. Throws SVC102. */
export function parseRows(
  text: string,
  contentType: string | undefined,
  columns: readonly string[] | undefined,
): RowsBody {
  const rows = asRows(parseBody(text, contentType));
  const keys = Object.keys(rows[0] ?? {});
  if (columns === undefined && !rows.every((row) => sameKeys(row, keys))) {
    throw errors.SVC102({ message: 'All object keys must match' });
  }
  return { rows, keys };
}

/** The value of a body: JSON's, the rows of CSV, the fields of a form. Throws SVC102. */
export function parseBody(text: string, contentType: string | undefined): unknown {
  switch (mediaType(contentType)) {
    case 'text/csv':
      return csvRows(text);
    case 'application/x-www-form-urlencoded':
      return Object.fromEntries(new URLSearchParams(text));
    case 'json':
      return jsonValue(text);
    default:
      throw errors.SVC102({ message: `Content-Type not acceptable: ${contentType ?? ''}` });
  }
}

function mediaType(contentType: string | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'application/json' || type.endsWith('+json') ? 'json' : type;
}

function jsonValue(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw errors.SVC102();
    throw cause;
  }
}

function asRows(value: unknown): Row[] {
  const rows = Array.isArray(value) ? value : [value];
  return rows.map((row: unknown) => {
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row;
    throw errors.SVC102({ message: 'All array elements must be objects' });
  });
}

function sameKeys(row: Row, keys: readonly string[]): boolean {
  const own = Object.keys(row);
  return own.length === keys.length && keys.every((key) => Object.hasOwn(row, key));
}

/** The word NULL without quotes is null. */
function csvRows(text: string): Row[] {
  const lines = parseCsv(text);
  if (lines === undefined) throw errors.SVC102({ message: 'The CSV body has an open quote' });
  const [header, ...rest] = lines;
  if (header === undefined) throw errors.SVC102({ message: 'The CSV body has no header line' });
  const names = header.map(({ text: name }) => name);
  return rest.map((cells) => {
    if (cells.length !== names.length)
      throw errors.SVC102({ message: 'All lines must have same number of fields' });
    return Object.fromEntries(
      cells.map((cell, at) => [names[at] ?? '', cell.quoted || cell.text !== 'NULL' ? cell.text : null]),
    );
  });
}
