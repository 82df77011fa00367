/** The whole query string, by parameter. Total: every string parses or is refused with SVC100. */
import { looksLikeOperation, parseOperation } from './filter.js';
import { parseLogic } from './logic.js';
import { parseNames, parseOrder, parsePath } from './order.js';
import type { At, ConditionTerm, OrderTerm, Query } from './query.js';
import { parseSelect } from './select.js';

export interface ParseOptions {
  /** For a function called with GET: a parameter whose value is not an operation is an argument of the call. */
  readonly callArguments?: boolean;
}

/** `search` is the raw query string, without its `?`. */
export function parseQuery(search: string, { callArguments = false }: ParseOptions = {}): Query {
  const parameters = decodeParameters(search);
  const first = (name: string): string | undefined => parameters.find(([key]) => key === name)?.[1];
  const columns = first('columns');
  const onConflict = first('on_conflict');
  const query = {
    select: parseSelect(first('select') ?? ''),
    conditions: [] as At<ConditionTerm>[],
    order: [] as At<readonly OrderTerm[]>[],
    limits: [] as At<number>[],
    offsets: [] as At<number>[],
    columns: columns === undefined ? undefined : parseNames('columns', columns),
    onConflict: onConflict === undefined ? undefined : parseNames('on_conflict', onConflict),
    callArguments: [] as [string, string][],
  };
  for (const [key, value] of parameters) {
    if (key === 'select' || key === 'columns' || key === 'on_conflict') continue;
    readParameter(query, key, value, callArguments);
  }
  return query;
}

type MutableQuery = {
  -readonly [
    K in 'conditions' | 'order' | 'limits' | 'offsets' | 'callArguments'
  ]: Query[K] extends readonly (infer T)[] ? T[] : never;
};

function readParameter(query: MutableQuery, key: string, value: string, callArguments: boolean): void {
  switch (key.slice(key.lastIndexOf('.') + 1)) {
    case 'order':
      query.order.push({ path: levels(key), value: parseOrder(value) });
      return;
    case 'limit':
      readNumber(query.limits, key, value);
      return;
    case 'offset':
      readNumber(query.offsets, key, value);
      return;
    case 'and':
    case 'or':
      query.conditions.push(readLogic(key, value));
      return;
  }
  if (callArguments && !looksLikeOperation(value)) {
    query.callArguments.push([key, value]);
    return;
  }
  const { path, field } = parsePath(key);
  query.conditions.push({ path, value: { kind: 'filter', field, ...parseOperation(value) } });
}

/** A value that is not a whole number is ignored, as in PostgREST. */
function readNumber(target: At<number>[], key: string, value: string): void {
  if (/^\s*-?\d{1,15}\s*$/.test(value)) target.push({ path: levels(key), value: Number(value) });
}

function readLogic(key: string, value: string): At<ConditionTerm> {
  const path = [...levels(key)];
  const negated = path.at(-1) === 'not';
  if (negated) path.pop();
  return { path, value: parseLogic(key.endsWith('or') ? 'or' : 'and', negated, value) };
}

/** The levels that `a.b.order` names. */
function levels(key: string): string[] {
  const { path } = parsePath(key);
  return path;
}

/** `+` is a space; a parameter without `=` is ignored. */
function decodeParameters(search: string): [string, string][] {
  const parameters: [string, string][] = [];
  for (const part of search.split('&')) {
    const equals = part.indexOf('=');
    if (equals > 0) parameters.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
  }
  return parameters;
}

/** Percent-decoding of UTF-8; an invalid escape stays unchanged. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return unescapeBytes(spaced);
  }
}

function unescapeBytes(text: string): string {
  const bytes: number[] = [];
  const source = new TextEncoder().encode(text);
  for (let at = 0; at < source.length; at += 1) {
    const hex = source[at] === 37 ? String.fromCharCode(source[at + 1] ?? 0, source[at + 2] ?? 0) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else bytes.push(source[at]!);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
