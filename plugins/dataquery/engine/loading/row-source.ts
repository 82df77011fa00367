/** Rows of a file as a stream: CSV and NDJSON are read in chunks, so that a file may be larger than memory. */
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { CsvError, CsvReader, type CsvRecord } from '../formats/csv.js';
import { parseJson } from '../values/json-text.js';
import { Literal, type Row } from '../write/rows.js';
import { asRow, notUtf8, RowsFileError } from './rows-file.js';

export interface SourceRow {
  /** The line of the file on which it begins. */
  readonly line: number;
  readonly row: Row;
  /** Verbatim from the file. */
  readonly text: string;
}

/** `-` is standard input. */
export const STDIN = '-';

const FORMATS = new Map([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
] as const);

export type StreamedFormat = 'csv' | 'ndjson';

/** The format of a streamed file; undefined for JSON. */
export function streamedFormat(file: string): StreamedFormat | undefined {
  return FORMATS.get(extname(file).toLowerCase() as '.csv');
}

/** `pieces` of UTF-8, or the file's. Throws a RowsFileError, with the line. */
export async function* streamedRows(
  file: string,
  format: StreamedFormat,
  pieces?: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceRow, void> {
  const opened = pieces === undefined ? createReadStream(file, { highWaterMark: 256 * 1024 }) : undefined;
  const name = pieces === undefined ? file : 'standard input';
  try {
    const read = decoded(name, pieces ?? (opened as AsyncIterable<Uint8Array>));
    yield* format === 'csv' ? csvRows(read) : lineRows(name, read);
  } catch (error) {
    if (error instanceof CsvError) throw new RowsFileError(`${name}: line ${error.line}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof RowsFileError) throw error;
    throw new RowsFileError(`${name} cannot be read: ${code}`, { cause: error });
  } finally {
    opened?.destroy();
  }
}

/** Other encodings, such as the CSV of an old spreadsheet, would be stored as wrong characters. */
async function* decoded(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw notUtf8(name);
    throw error;
  }
}

/** PostgreSQL's COPY conventions: a header line, an empty field without quotes is null, `""` an empty text. */
async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<SourceRow, void> {
  const reader = new CsvReader();
  let names: readonly string[] | undefined;
  const rowOf = ({ line, cells, text: record }: CsvRecord): SourceRow | undefined => {
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
    return { line, row, text: record };
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
      return { line, row: asRow(parseJson(text), file, `line ${line}`), text };
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
