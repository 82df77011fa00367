/** Locates the members of a JSON object in its text. */

/** The place of a member's value: from its first character to before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Members {
  /** By the member's name; of several with one name the last, as parsers take it. */
  readonly spans: ReadonlyMap<string, Span>;
  /** No name occurs twice. */
  readonly areDistinct: boolean;
}

/** `text` must be an object that `JSON.parse` takes: nothing is checked. */
export function membersOf(text: string): Members {
  const spans = new Map<string, Span>();
  let count = 0;
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = stringEnd(text, at);
    const from = skipSpace(text, text.indexOf(':', nameEnd) + 1);
    const to = valueEnd(text, from);
    spans.set(nameOf(text.slice(at + 1, nameEnd - 1)), { from, to });
    count += 1;
    // After the comma, or after the closing brace.
    at = skipSpace(text, skipSpace(text, to) + 1);
  }
  return { spans, areDistinct: spans.size === count };
}

/** Unescapes the text between the quotes. */
function nameOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;

function opens(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function closes(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** The position after the value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  if (!opens(first)) return scalarEnd(text, at);
  let depth = 0;
  for (let place = at; ; place += 1) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = stringEnd(text, place) - 1;
    else if (opens(code)) depth += 1;
    else if (closes(code) && (depth -= 1) === 0) return place + 1;
  }
}

/** A string may be an image of megabytes: from quote to quote the engine searches. */
function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
  return (at - from) % 2 === 1;
}

/** A number, or `true`, `false` or `null`. */
function scalarEnd(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); code > SPACE && code !== COMMA && !closes(code);) {
    end += 1;
    code = text.charCodeAt(end);
  }
  return end;
}

/** Anything between two tokens of a valid text is white space. */
function skipSpace(text: string, at: number): number {
  let place = at;
  while (text.charCodeAt(place) <= SPACE) place += 1;
  return place;
}
