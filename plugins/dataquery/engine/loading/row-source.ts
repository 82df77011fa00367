/** Rows of a file as they come: CSV and NDJSON are read in pieces, so that a file may be larger than memory. */
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { CsvError, CsvReader, type CsvCell } from '../formats/csv.js';
import { parseJson } from '../values/json-text.js';
import { Literal, type Row } from '../write/rows.js';
import { asRow, RowsFileError } from './rows-file.js';

export interface SourceRow {
  /** The line of the file on which it begins. */
  readonly line: number;
  readonly row: Row;
}

/** Whether the file is read in pieces. */
export function isStreamed(file: string): boolean {
  return ['.csv', '.ndjson', '.jsonl'].includes(extname(file).toLowerCase());
}

/** Throws a RowsFileError, with the line. */
export async function* streamedRows(file: string): AsyncGenerator<SourceRow, void> {
  const pieces = createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 });
  try {
    yield* extname(file).toLowerCase() === '.csv' ? csvRows(pieces) : lineRows(file, pieces);
  } catch (error) {
    if (error instanceof CsvError) throw new RowsFileError(`${file}: line ${error.line}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof RowsFileError) throw error;
    throw new RowsFileError(`${file} cannot be read: ${code}`, { cause: error });
  } finally {
    pieces.destroy();
  }
}

/** The conventions of PostgreSQL's COPY: a header line, an empty field without quotes is null, `""` an empty text. */
async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<SourceRow, void> {
  const reader = new CsvReader();
  let names: readonly string[] | undefined;
  const rowOf = ({ line, cells }: { line: number; cells: readonly CsvCell[] }): SourceRow | undefined => {
    if (names === undefined) {
      names = cells.map(({ text }) => text);
      return undefined;
    }
    if (cells.length !== names.length) {
      throw new CsvError(`${cells.length} fields where the header has ${names.length}`, line);
    }
    const row: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (let at = 0; at < cells.length; at += 1) {
      const { text, quoted } = cells[at]!;
      row[names[at]!] = text === '' && !quoted ? null : new Literal(text);
    }
    return { line, row };
  };
  for await (const piece of pieces) {
    for (const record of reader.read(piece)) {
      const row = rowOf(record);
      if (row !== undefined) yield row;
    }
  }
  for (const record of reader.end()) {
    const row = rowOf(record);
    if (row !== undefined) yield row;
  }
}

async function* lineRows(file: string, pieces: AsyncIterable<string>): AsyncGenerator<SourceRow, void> {
  let rest = '';
  let line = 0;
  const rowOf = (text: string): SourceRow | undefined => {
    line += 1;
    if (text.trim() === '') return undefined;
    try {
      return { line, row: asRow(parseJson(text), file, `line ${line}`) };
    } catch (error) {
      if (error instanceof SyntaxError) throw new RowsFileError(`${file}: line ${line}: ${error.message}`);
      throw error;
    }
  };
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const row = rowOf(text);
      if (row !== undefined) yield row;
    }
  }
  const last = rowOf(rest);
  if (last !== undefined) yield last;
}
