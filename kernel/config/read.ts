/** A config file as a value whose every part knows its place in the text. */
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import type { ConfigPath, Position, Problem } from './problem.js';

export interface ConfigSource {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  /** Where the key, or the value, at a path stands; the nearest part above it when it is not there. */
  locate(path: ConfigPath, part?: 'key' | 'value'): Position | undefined;
}

/** Aliases are expanded at most this often, so that a small file cannot grow into gigabytes ("billion laughs"). */
const MAX_ALIASES = 100;

/** Reads YAML 1.2. The problems are those of the text itself: syntax, duplicate keys, tabs, too many aliases. */
export function readConfig(file: string, text: string): { source: ConfigSource; problems: Problem[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => ({
    severity: error.name === 'YAMLWarning' ? 'warning' : 'error',
    path: [],
    message: MESSAGES[error.code] ?? lowerFirst(error.message),
    position: position(counter, error.pos[0], error.pos[1]),
  }));
  let value: unknown;
  if (problems.every(({ severity }) => severity === 'warning')) {
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
    } catch (error) {
      problems.push({ severity: 'error', path: [], ...aliasProblem(document, counter, error as Error) });
    }
    if (value === null)
      problems.push({
        severity: 'error',
        path: [],
        message: 'the file is empty; a config starts with "version: 1"',
      });
  }
  const locate = (path: ConfigPath, part: 'key' | 'value' = 'value'): Position | undefined =>
    locateIn(document, counter, path, part);
  return { source: { file, text, value, locate }, problems };
}

/** Where the parser speaks to programmers. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a config is one document; remove the "---" and what follows',
  DUPLICATE_KEY: 'this key is already there; each key may stand once',
};

/** What expanding the aliases met: one without its anchor, or too many. */
function aliasProblem(
  document: Document.Parsed,
  counter: LineCounter,
  error: Error,
): Pick<Problem, 'message' | 'position'> {
  let last: Alias | undefined;
  let unresolved: Alias | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      last = alias;
      if (unresolved === undefined && alias.resolve(document) === undefined) unresolved = alias;
    },
  });
  const range = (unresolved ?? last)?.range;
  const place = range ? position(counter, range[0], range[1]) : undefined;
  if (unresolved !== undefined)
    return { message: `no anchor &${unresolved.source} stands before this alias`, position: place };
  return {
    message: /alias/i.test(error.message)
      ? `aliases are expanded at most ${MAX_ALIASES} times; write the values out`
      : lowerFirst(error.message),
    position: place,
  };
}

/** A config that did not come from a file: nothing can be located in it. */
export function configFromValue(file: string, value: unknown): ConfigSource {
  return { file, text: '', value, locate: () => undefined };
}

function locateIn(
  document: Document.Parsed,
  counter: LineCounter,
  path: ConfigPath,
  part: 'key' | 'value',
): Position | undefined {
  let node: unknown = document.contents;
  let found = rangeOf(node);
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        ({ key }) => String(isScalar(key) ? key.value : key) === String(step),
      );
      if (pair === undefined) break;
      const last = depth === path.length - 1;
      found = (last && part === 'value' ? rangeOf(pair.value) : undefined) ?? rangeOf(pair.key) ?? found;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      found = rangeOf(node) ?? found;
    } else break;
  }
  return found === undefined ? undefined : position(counter, found[0], found[1]);
}

function rangeOf(node: unknown): [number, number] | undefined {
  const range = (node as Node | null | undefined)?.range;
  // An empty value (`key:`) has an empty range: its key is the better place.
  return range && range[1] > range[0] ? [range[0], range[1]] : undefined;
}

function position(counter: LineCounter, start: number, end: number): Position {
  const { line, col } = counter.linePos(start);
  const stop = counter.linePos(end);
  return { line, column: col, length: stop.line === line ? Math.max(1, stop.col - col) : 1 };
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
