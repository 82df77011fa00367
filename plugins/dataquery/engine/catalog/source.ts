/** A YAML or JSON file as a tree in which every key and value has its position, for problems with line and column. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

export interface Place {
  /** Path in the tree; empty for the whole file. */
  readonly path: readonly (string | number)[];
  /** Characters from the start of the text. */
  readonly offset: number;
  readonly length: number;
  /** Plain JSON, also of mappings and lists. */
  readonly value: unknown;
  /** Of a mapping: its keys, in order. */
  readonly entries: ReadonlyMap<string, Entry> | undefined;
  /** Of a list. */
  readonly items: readonly Place[] | undefined;
}

export interface Entry {
  readonly key: Place;
  readonly value: Place;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly place: Place;
  readonly message: string;
}

export class SourceFile {
  readonly file: string;
  readonly problems: Problem[] = [];
  readonly root: Place;
  readonly #text: string;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
    const document = parseDocument(text, { lineCounter: this.#lines, uniqueKeys: true, merge: true });
    this.root = placeOf(document.contents, [], undefined);
    for (const { message, pos } of document.errors) {
      this.error(
        { ...this.root, path: [], offset: pos[0], length: 1 },
        message.split(/ at line |\n/)[0] ?? message,
      );
    }
  }

  error(place: Place, message: string): void {
    this.problems.push({ severity: 'error', place, message });
  }

  warning(place: Place, message: string): void {
    this.problems.push({ severity: 'warning', place, message });
  }

  get failed(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }

  /** `file:line:column severity path: message` with the source line and a caret, in file order. */
  render(severity?: Problem['severity']): string {
    return this.problems
      .filter((problem) => severity === undefined || problem.severity === severity)
      .toSorted((a, b) => a.place.offset - b.place.offset)
      .map((problem) => this.#renderOne(problem))
      .join('\n');
  }

  #renderOne({ severity, place, message }: Problem): string {
    const { line, col } = this.#lines.linePos(place.offset);
    const path = pathText(place.path);
    const head = `${this.file}:${line}:${col} ${severity} ${path === '' ? '' : `${path}: `}${message}`;
    const source = this.#text.split(/\r?\n/)[line - 1] ?? '';
    // A JSON file may be one long line: show what is around the place.
    const start = Math.max(0, col - 1 - 60);
    const shown = source.slice(start, start + 120).replaceAll('\t', ' ');
    const caret =
      ' '.repeat(col - 1 - start) +
      '^'.repeat(Math.max(1, Math.min(place.length, shown.length - (col - 1 - start))));
    return `${head}\n  ${line} | ${shown}\n  ${' '.repeat(String(line).length)} | ${caret}`;
  }
}

export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      return `${at === 0 ? '' : '.'}${/^[\w-]+$/.test(part) ? part : JSON.stringify(part)}`;
    })
    .join('');
}

function placeOf(node: unknown, path: Place['path'], parent: Node | undefined): Place {
  const range = (node as Node | null)?.range ?? parent?.range ?? [0, 0, 0];
  const place = { path, offset: range[0], length: Math.max(1, range[1] - range[0]) };
  if (isMap(node)) {
    const entries = new Map<string, Entry>();
    const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const pair of node.items) {
      const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
      const inner = placeOf(pair.value, [...path, name], pair.key as Node);
      entries.set(name, { key: { ...placeOf(pair.key, [...path, name], node), value: name }, value: inner });
      value[name] = inner.value;
    }
    return { ...place, value: { ...value }, entries, items: undefined };
  }
  if (isSeq(node)) {
    const items = node.items.map((item, at) => placeOf(item, [...path, at], node));
    return { ...place, value: items.map((item) => item.value), entries: undefined, items };
  }
  return { ...place, value: isScalar(node) ? node.value : null, entries: undefined, items: undefined };
}
