/** A config file as a value, with the position of every part in the text. */
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
import { indentationFault } from './indentation.js';
import type { ConfigPath, Position, Problem } from './problem.js';

export interface ConfigSource {
  /** In the order given: a later one overrides those before it. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly value: unknown;
  /** The position of the key, or of the value, at a path; of its nearest ancestor if it is missing. */
  locate(path: ConfigPath, part?: 'key' | 'value'): Located | undefined;
  /** The positions of the values at these paths and of keys that are named like a secret, except numbers at `plain`. */
  secrets(paths: readonly ConfigPath[], plain?: readonly ConfigPath[]): readonly Position[];
}

export interface Located extends Position {
  /** How many steps of the path are there. */
  readonly depth: number;
}

/** Masked even if no schema marks the key `secret`: it may be misspelled, or its plugin unknown. */
const SECRET_NAME = /key|token|secret|password|credential/i;

/** Aliases are expanded at most this often, so that a small file cannot grow into gigabytes ("billion laughs"). */
const MAX_ALIASES = 100;

/** Reads YAML 1.2. The problems are those of the text itself: syntax, indentation, duplicate keys, too many aliases. */
export function readConfig(file: string, text: string): { source: ConfigSource; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const at = (start: number, end: number): Position => position(file, lines, start, end);
  const problems = syntaxProblems(document, file, text, at);
  problems.push(...duplicateKeys(document, at));
  let value: unknown;
  if (problems.every(({ severity }) => severity === 'warning')) {
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
    } catch (error) {
      problems.push({ severity: 'error', path: [], ...aliasProblem(document, at, error as Error) });
    }
    if (value === null)
      problems.push({
        severity: 'error',
        path: [],
        message: 'the file is empty; a config starts with "version: 1"',
        position: { file, line: 1, column: 1, length: 1 },
      });
  }
  const source: ConfigSource = {
    files: [{ file, text }],
    value,
    locate: (path, part = 'value') => locateIn(document, at, path, part),
    secrets: (paths, plain = []) => secretPositions(document, at, paths, plain),
  };
  return { source, problems };
}

type Place = (start: number, end: number) => Position;

function syntaxProblems(document: Document.Parsed, file: string, text: string, at: Place): Problem[] {
  const problems = [...document.errors, ...document.warnings].map((error): Problem => ({
    severity: error.name === 'YAMLWarning' ? 'warning' : 'error',
    path: [],
    message: MESSAGES[error.code] ?? lowerFirst(error.message),
    position: at(error.pos[0], error.pos[1]),
  }));
  const [first] = problems;
  const fault = first?.severity === 'error' ? indentationFault(text) : undefined;
  // The parser fails at the fault or on the line before it; its later errors follow from it.
  if (fault === undefined || Math.abs(fault.line - (first?.position?.line ?? 0)) > 1) return problems;
  const { message, line, column } = fault;
  return [{ severity: 'error', path: [], message, position: { file, line, column, length: 1 } }];
}

function duplicateKeys(document: Document.Parsed, at: Place): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Map<unknown, Position>();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue;
        const place = at(key.range[0], key.range[1]);
        const first = seen.get(key.value);
        if (first === undefined) seen.set(key.value, place);
        else {
          const message = `this key is on line ${first.line} already; a key may appear once`;
          problems.push({ severity: 'error', path: [], message, position: place });
        }
      }
    },
  });
  return problems;
}

function secretPositions(
  document: Document.Parsed,
  at: Place,
  paths: readonly ConfigPath[],
  plain: readonly ConfigPath[],
): readonly Position[] {
  const positions: Position[] = [];
  const shown = new Set(plain.map((path) => document.getIn(path, true)).filter(isNumber));
  const hide = (node: unknown): void => {
    if (!isScalar(node) || !node.range || isReference(node.value)) return;
    const [start, end] = node.range;
    const place = at(start, end);
    // A value over several lines is masked to the end of its first line.
    positions.push(place.length < end - start ? { ...place, length: Infinity } : place);
  };
  const hideAll = (node: unknown): void => (isSeq(node) ? node.items.forEach(hideAll) : hide(node));
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && SECRET_NAME.test(String(key.value)) && !shown.has(value)) hideAll(value);
    },
  });
  for (const path of paths) hideAll(document.getIn(path, true));
  return positions;
}

function isNumber(node: unknown): boolean {
  return isScalar(node) && typeof node.value === 'number';
}

/** `${NAME}` names a secret without showing it. */
function isReference(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('${') && !value.includes(':-');
}

/** Replacements for messages that the parser writes for programmers. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a config is one document; remove the "---" and what follows',
};

/** A failure to expand aliases: one without its anchor, or too many. */
function aliasProblem(
  document: Document.Parsed,
  at: Place,
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
  const place = range ? at(range[0], range[1]) : undefined;
  if (unresolved !== undefined)
    return { message: `there is no anchor &${unresolved.source} before this alias`, position: place };
  return {
    message: /alias/i.test(error.message)
      ? `aliases are expanded at most ${MAX_ALIASES} times; write the values out`
      : lowerFirst(error.message),
    position: place,
  };
}

/** A config that did not come from a file: nothing can be located in it. */
export function configFromValue(file: string, value: unknown): ConfigSource {
  return { files: [{ file, text: '' }], value, locate: () => undefined, secrets: () => [] };
}

function locateIn(
  document: Document.Parsed,
  at: Place,
  path: ConfigPath,
  part: 'key' | 'value',
): Located | undefined {
  let node: unknown = document.contents;
  let found = rangeOf(node);
  let there = 0;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        ({ key }) => String(isScalar(key) ? key.value : key) === String(step),
      );
      if (pair === undefined) break;
      const last = depth === path.length - 1;
      found = (last && part === 'value' ? rangeOf(pair.value) : undefined) ?? rangeOf(pair.key) ?? found;
      node = pair.value;
      there = depth + 1;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      found = rangeOf(node) ?? found;
      if (node !== undefined) there = depth + 1;
    } else break;
  }
  return found === undefined ? undefined : { ...at(found[0], found[1]), depth: there };
}

function rangeOf(node: unknown): [number, number] | undefined {
  const range = (node as Node | null | undefined)?.range;
  // An empty value (`key:`) has an empty range: its key is the better place.
  return range && range[1] > range[0] ? [range[0], range[1]] : undefined;
}

function position(file: string, lines: LineCounter, start: number, end: number): Position {
  const { line, col } = lines.linePos(start);
  const stop = lines.linePos(end);
  return { file, line, column: col, length: stop.line === line ? Math.max(1, stop.col - col) : 1 };
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
