/** The statements of a dump, parsed by PostgreSQL's own parser, with their lines. */
import { UserError } from 'plugboard/sdk';
import type { Node } from 'libpg-query';

export interface Statement {
  readonly node: Node;
  readonly line: number;
  /** The line of a location that the parser gives inside a statement. */
  lineOf(location: number | undefined): number;
}

/** `shown`: the dump's name in errors. Throws a UserError if it is not SQL. */
export async function statementsOf(sql: string, shown: string): Promise<Statement[]> {
  const { hasSqlDetails, parse } = await import('libpg-query');
  const text = withoutPsql(sql);
  const lines = new Lines(text);
  try {
    const { stmts = [] } = await parse(text);
    return stmts.flatMap(({ stmt, stmt_location: start = 0 }) => {
      if (stmt === undefined) return [];
      const line = lines.at(lines.firstWord(start));
      return [
        { node: stmt, line, lineOf: (place) => (place === undefined || place < 0 ? line : lines.at(place)) },
      ];
    });
  } catch (error) {
    if (!hasSqlDetails(error)) throw error;
    const line = lines.at(Buffer.byteLength(text.slice(0, error.sqlDetails?.cursorPosition ?? 0)));
    throw new UserError(`${shown}:${line}: ${error.message}`);
  }
}

/** psql commands and `COPY` rows become empty lines. */
function withoutPsql(sql: string): string {
  let isCopying = false;
  return sql
    .split('\n')
    .map((line) => {
      const skipped = isCopying || line.startsWith('\\');
      if (isCopying) isCopying = line.trimEnd() !== '\\.';
      else if (/^COPY .* FROM stdin;\s*$/.test(line)) {
        isCopying = true;
        return '';
      }
      return skipped ? '' : line;
    })
    .join('\n');
}

const NEWLINE = 0x0a;
const DASH = 0x2d;
const SPACE = 0x20;

/** In bytes, as the parser counts. */
class Lines {
  readonly #bytes: Buffer;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    for (let at = this.#bytes.indexOf(NEWLINE); at !== -1; at = this.#bytes.indexOf(NEWLINE, at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  at(place: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= place) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Skips blanks and line comments. */
  firstWord(start: number): number {
    let at = start;
    for (;;) {
      while ((this.#bytes[at] ?? DASH) <= SPACE) at += 1;
      if (this.#bytes[at] !== DASH || this.#bytes[at + 1] !== DASH) return at;
      const end = this.#bytes.indexOf(NEWLINE, at);
      if (end === -1) return at;
      at = end;
    }
  }
}
