/** Comma-separated values (RFC 4180). */
export interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

/** Lines of cells; lines may end in CRLF or LF, and empty ones do not count. Undefined when a quote is not closed. */
export function parseCsv(text: string): Cell[][] | undefined {
  const lines: Cell[][] = [];
  let line: Cell[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    const end = quoted ? closingQuote(text, at) : endOfCell(text, at);
    if (end === -1) return undefined;
    line.push({ text: quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end), quoted });
    at = quoted ? end + 1 : end;
    if (text[at] === ',') {
      at++;
      // A comma at the very end opens one more, empty cell.
      if (at === text.length || text[at] === '\n' || text[at] === '\r')
        line.push({ text: '', quoted: false });
      else continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    const [first] = line;
    if (line.length > 1 || first?.quoted === true || first?.text !== '') lines.push(line);
    line = [];
  }
  return lines;
}

/** One line without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}

/** A column of a CSV answer: its name, and the cell of a value of its JSON. */
export interface CsvColumn {
  readonly key: string;
  readonly cell: (value: unknown) => string;
}

function endOfCell(text: string, from: number): number {
  const end = /,|\r?\n|$/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
