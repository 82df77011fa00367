/** The body of an answer that holds rows, in the representation that was negotiated. */
import { errors } from '../errors.js';
import { parseJson } from '../values/json-text.js';
import { csvLine, type CsvColumn } from './csv.js';
import type { Representation } from './media-type.js';

/** A body of more characters is sent in pieces while its rows are still being made. */
const WHOLE = 256 * 1024;

/**
 * `batches` are JSON texts of rows, `columns` their members in order, for CSV. The start of the body is made before this
 * resolves, so that an error in it is still answered as one; a short body is made whole.
 */
export async function rowsBody(
  { kind, stripNulls }: Representation,
  batches: AsyncIterable<readonly string[]>,
  columns: readonly CsvColumn[],
): Promise<string | AsyncIterable<string>> {
  const pieces =
    kind === 'csv' ? csvPieces(batches, columns) : jsonPieces(batches, stripNulls ? ',' : BETWEEN_ROWS);
  let start = '';
  while (start.length < WHOLE) {
    const { value, done } = await pieces.next();
    if (done === true) return start;
    start += value;
  }
  return continued(start, pieces);
}

/** An `object` representation needs exactly one row; throws SVC116. */
export function exactlyOne(rows: number): void {
  if (rows !== 1) throw errors.SVC116({ details: `The result contains ${rows} rows` });
}

async function* continued(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** A row per line, as PostgreSQL's json_agg puts them; clients of PostgREST see the same bytes. */
const BETWEEN_ROWS = ', \n ';

async function* jsonPieces(
  batches: AsyncIterable<readonly string[]>,
  between: string,
): AsyncGenerator<string> {
  let open = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield open + batch.join(between);
    open = between;
  }
  yield open === '[' ? '[]' : ']';
}

/** A header line, then a line per row. */
async function* csvPieces(
  batches: AsyncIterable<readonly string[]>,
  columns: readonly CsvColumn[],
): AsyncGenerator<string> {
  yield csvLine(columns.map(({ key }) => key));
  for await (const batch of batches) {
    yield batch.map((text) => `\n${csvLine(cells(text, columns))}`).join('');
  }
}

function cells(text: string, columns: readonly CsvColumn[]): string[] {
  const row = parseJson(text) as Record<string, unknown>;
  return columns.map(({ key, cell }) => cell(row[key]));
}
