/** Comma-separated values (RFC 4180), read record by record from chunks of text. */

export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly CsvCell[];
  /** Verbatim, with its line end. */
  readonly text: string;
}

/** A text that is not CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** An unclosed quote would make one record of a whole file. */
const LONGEST_RECORD = 16 * 1024 * 1024;

/** PostgreSQL's limit of columns in a table. */
const MOST_CELLS = 1_600;

/** Lines may end in CRLF or LF; empty ones are skipped. */
export class CsvReader {
  #rest = '';
  #line = 1;
  #started = false;
  /** An incomplete record is tried again when there is twice as much text. */
  #tryAt = 0;

  /** The records that the chunk completes. Throws a CsvError. */
  *read(piece: string): Generator<CsvRecord, void> {
    this.#rest += this.#started ? piece : piece.replace(/^\uFEFF/, '');
    this.#started = true;
    if (this.#rest.length < this.#tryAt) return;
    yield* this.#records(false);
    this.#tryAt = this.#rest.length * 2;
    if (this.#rest.length > LONGEST_RECORD) {
      throw new CsvError('a record is too long: a quote may be left open', this.#line);
    }
  }

  /** The records of a complete text. Throws a CsvError. */
  static *all(text: string): Generator<CsvRecord, void> {
    const reader = new CsvReader();
    reader.#rest = text.replace(/^\uFEFF/, '');
    yield* reader.end();
  }

  /** The last record, if it has no line end. Throws a CsvError for an unclosed quote. */
  *end(): Generator<CsvRecord, void> {
    yield* this.#records(true);
    if (this.#rest !== '') throw new CsvError('a quote is not closed', this.#line);
  }

  *#records(isLast: boolean): Generator<CsvRecord, void> {
    const text = this.#rest;
    let start = 0;
    let cells: CsvCell[] = [];
    let at = 0;
    while (at < text.length) {
      const quoted = text.charCodeAt(at) === QUOTE;
      const end = quoted ? closingQuote(text, at) : endOfCell(text, at);
      // A quote at the very end may be the first half of a doubled one.
      if (end === -1 || (!isLast && end + (quoted ? 1 : 0) >= text.length)) break;
      if (cells.length === MOST_CELLS)
        throw new CsvError(`a record has more than ${MOST_CELLS} fields`, this.#line);
      cells.push({ text: quoted ? unquoted(text, at, end) : text.slice(at, end), quoted });
      at = quoted ? end + 1 : end;
      if (text.charCodeAt(at) === COMMA) {
        at += 1;
        if (at < text.length || !isLast) continue;
        cells.push({ text: '', quoted: false });
      }
      if (at < text.length && !isLineEnd(text, at)) {
        throw new CsvError('a comma or the end of the line must follow a closing quote', this.#line);
      }
      if (!isLast && text.charCodeAt(at) === RETURN && at + 1 === text.length) break;
      if (text.charCodeAt(at) === RETURN) at += 1;
      if (text.charCodeAt(at) === NEWLINE) at += 1;
      const line = this.#line;
      const record = text.slice(start, at);
      this.#line += lineEnds(record);
      start = at;
      const [first] = cells;
      if (cells.length > 1 || first?.quoted === true || first?.text !== '')
        yield { line, cells, text: record };
      cells = [];
    }
    this.#rest = text.slice(start);
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

function isLineEnd(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === NEWLINE ||
    (text.charCodeAt(at) === RETURN && (at + 1 === text.length || text.charCodeAt(at + 1) === NEWLINE))
  );
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The position of the comma or line end that ends the cell, or the end of the text. */
function endOfCell(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === NEWLINE) return at;
    if (code === RETURN && isLineEnd(text, at)) return at;
  }
  return text.length;
}

/** -1 if the quote is not closed. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

function unquoted(text: string, open: number, close: number): string {
  const inside = text.slice(open + 1, close);
  return inside.includes('"') ? inside.replaceAll('""', '"') : inside;
}

/** One line without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}
