/** A response body of rows, in the negotiated representation. */
import type { Budget } from '../../engine/base/budget.js';
import { errors } from '../../engine/base/errors.js';
import { csvLine } from '../../engine/formats/csv.js';
import { parseJson } from '../../engine/values/json-text.js';
import type { Representation } from './media-type.js';

/** A column of a CSV response: its name, and how a JSON value becomes a cell. */
export interface CsvColumn {
  readonly key: string;
  readonly cell: (value: unknown) => string;
}

/** A longer body is streamed while its rows are still being made. */
const WHOLE = 256 * 1024;
/** Characters of a piece, unless one row has more. */
const PIECE = 64 * 1024;

/**
 * `batches` are JSON texts of rows, `columns` their members in order, for CSV. The start of the body is made before
 * this resolves, so that an error in it is still an error response; a short body is made in full.
 */
export async function rowsBody(
  { kind, stripNulls }: Representation,
  batches: AsyncIterable<readonly string[]>,
  columns: readonly CsvColumn[],
  budget: Budget,
): Promise<string | RowStream> {
  const lines = kind === 'csv' ? csvLines(columns) : jsonLines(stripNulls ? ',' : BETWEEN_ROWS);
  const stream = new RowStream(batches, lines, budget);
  let start = '';
  while (start.length < WHOLE) {
    const { value, done } = await stream.next();
    if (done === true) return start;
    start += value;
  }
  stream.putBack(start);
  return stream;
}

/** An `object` representation needs exactly one row; throws SVC116. */
export function exactlyOne(rows: number): void {
  if (rows !== 1) throw errors.SVC116({ details: `The result contains ${rows} rows` });
}

/** The pieces of a long body, made on demand. */
export class RowStream implements AsyncIterableIterator<string> {
  readonly #pieces: AsyncGenerator<string, void>;
  readonly #budget: Budget;
  #start: string | undefined;
  #held = 0;

  constructor(batches: AsyncIterable<readonly string[]>, lines: Lines, budget: Budget) {
    this.#pieces = this.#make(batches, lines);
    this.#budget = budget;
  }

  /** Characters that are made and not yet read. */
  get held(): number {
    return this.#held;
  }

  putBack(start: string): void {
    this.#start = start;
  }

  async next(): Promise<IteratorResult<string, void>> {
    const start = this.#start;
    if (start !== undefined) {
      this.#start = undefined;
      return { value: start, done: false };
    }
    this.#budget.resume();
    const next = await this.#pieces.next();
    this.#budget.rest();
    return next;
  }

  async return(): Promise<IteratorResult<string, void>> {
    await this.#pieces.return();
    this.#held = 0;
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#make(
    batches: AsyncIterable<readonly string[]>,
    { open, before, row, close }: Lines,
  ): AsyncGenerator<string, void> {
    let piece = open;
    let isFirst = true;
    for await (const batch of batches) {
      this.#held += batch.reduce((sum, text) => sum + text.length, 0);
      for (const text of batch) {
        piece += (isFirst ? '' : before) + row(text);
        isFirst = false;
        this.#held -= text.length;
        if (piece.length < PIECE) continue;
        yield piece;
        piece = '';
      }
    }
    yield piece + close;
  }
}

/** The text around the rows of a body. */
interface Lines {
  readonly open: string;
  readonly before: string;
  readonly row: (text: string) => string;
  readonly close: string;
}

/** One row per line, as PostgreSQL's json_agg prints them; clients of PostgREST see the same bytes. */
const BETWEEN_ROWS = ', \n ';

function jsonLines(between: string): Lines {
  return { open: '[', before: between, row: (text) => text, close: ']' };
}

/** A header line, then a line per row. */
function csvLines(columns: readonly CsvColumn[]): Lines {
  const row = (text: string): string => {
    const values = parseJson(text) as Record<string, unknown>;
    return `\n${csvLine(columns.map(({ key, cell }) => cell(values[key])))}`;
  };
  return { open: csvLine(columns.map(({ key }) => key)), before: '', row, close: '' };
}
