/** Where a YAML text is indented wrongly: the parser's own message does not say what to do. */

export interface IndentationFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface KeyLine {
  readonly line: number;
  readonly indent: number;
  /** Has a value on its own line, so that nothing can be nested under it. */
  readonly closed: boolean;
}

const KEY = /^( *)(?:- +)*(?:"[^"]*"|'[^']*'|[\w$.<-][\w$.<-]*) *:(?= |$)(.*)$/;

/** The first line whose key fits no level above it; undefined when there is none. Meant for a text that does not parse. */
export function indentationFault(text: string): IndentationFault | undefined {
  const open: KeyLine[] = [];
  for (const key of keyLines(text)) {
    const last = open.at(-1);
    if (last !== undefined && key.indent > last.indent && last.closed) {
      return fault(
        key,
        `is indented deeper than line ${last.line}, which has a value already; keys of one level start at the same column`,
      );
    }
    let closed: KeyLine | undefined;
    while ((open.at(-1)?.indent ?? -1) > key.indent) closed = open.pop();
    if (closed !== undefined && open.at(-1)?.indent !== key.indent) {
      const where = `starts at column ${key.indent + 1}, and line ${closed.line} at column ${closed.indent + 1}`;
      return fault(key, `${where}; keys of one level start at the same column`);
    }
    if (open.at(-1)?.indent === key.indent) open.pop();
    open.push(key);
  }
  return undefined;
}

function fault({ line, indent }: KeyLine, what: string): IndentationFault {
  return { line, column: indent + 1, message: `this key ${what}` };
}

function* keyLines(text: string): Generator<KeyLine> {
  for (const [at, content] of text.split(/\r?\n/).entries()) {
    const [, indent, rest] = KEY.exec(content) ?? [];
    if (indent === undefined || rest === undefined) continue;
    const value = rest.replace(/(?:^| )#.*/s, '').trim();
    // An anchor, a tag or the mark of a block scalar has its value below; an open bracket continues there.
    yield { line: at + 1, indent: indent.length, closed: value !== '' && !/^[&!|>{["']/.test(value) };
  }
}
