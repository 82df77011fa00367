/** Readers for foreign JSON: each function takes a value and its path, and throws `Unreadable`. */
import { isTooDeep } from 'plugboard/sdk';
import type { Json } from './dialect.js';

/** A value does not fit its place. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly param: string;

  constructor(param: string, expected: string) {
    super(`${param} must be ${expected}`);
    this.param = param;
  }
}

/** A dialect cannot express something that the request asks. */
export class Unsayable extends Error {
  override readonly name = 'Unsayable';
  /** A name of `Settings`, or of a part. */
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: unknown, at: string): Json {
  if (!isObject(value)) throw new Unreadable(at, 'an object');
  return value;
}

/** Null counts as absent, as in all of these dialects. */
export function optionalObject(value: unknown, at: string): Json | undefined {
  return value === undefined || value === null ? undefined : object(value, at);
}

export function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new Unreadable(at, 'a string');
  return value;
}

export function optionalText(value: unknown, at: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, at);
}

/** A name that an upstream may leave out; what is none is unknown. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function optionalNumber(value: unknown, at: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw new Unreadable(at, 'a number');
  return value;
}

export function optionalBoolean(value: unknown, at: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw new Unreadable(at, 'true or false');
  return value;
}

export function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable(at, 'a list');
  return value;
}

/** Its items as objects, each with its place. */
export function objects(value: unknown, at: string): (readonly [item: Json, at: string])[] {
  return list(value, at).map((item, index) => [object(item, `${at}[${index}]`), `${at}[${index}]`]);
}

export function optionalObjects(value: unknown, at: string): (readonly [item: Json, at: string])[] {
  return value === undefined || value === null ? [] : objects(value, at);
}

/** Undefined if there are none. */
export function optionalTexts(value: unknown, at: string): string[] | undefined {
  const texts = optionalList(value, at).map((one, index) => text(one, `${at}[${index}]`));
  return texts.length === 0 ? undefined : texts;
}

/** The numbers of `body` under our names; `names` maps to theirs. Undefined if missing. */
export function optionalNumbers<K extends string>(
  body: Json,
  names: Readonly<Record<K, string>>,
): Record<K, number | undefined> {
  const entries = Object.entries<string>(names);
  return Object.fromEntries(
    entries.map(([ours, theirs]) => [ours, optionalNumber(body[theirs], theirs)]),
  ) as never;
}

export function optionalList(value: unknown, at: string): readonly unknown[] {
  return value === undefined || value === null ? [] : list(value, at);
}

/** A count of tokens; what is none is unknown. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The sum of what is known; null where nothing is. */
export function sum(...counts: readonly (number | null)[]): number | null {
  const known = counts.filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
}

/** The members that are there: `{ a: undefined }` becomes `{}`. */
export function given<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) there[name] = value;
  return there as never;
}

/** The body without what is named. */
export function without(body: Json, names: ReadonlySet<string>): Json {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !names.has(name) && value !== undefined && value !== null),
  );
}

/** `data:image/png;base64,...` as its parts; undefined for another URL. */
export function dataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const head = url.slice(5, comma);
  if (comma === -1 || !head.endsWith(';base64')) return undefined;
  return { mediaType: head.slice(0, -7) || 'application/octet-stream', data: url.slice(comma + 1) };
}

/**
 * The arguments of a call as an object: what a model wrote may be no JSON, or too deep to be written again, and some
 * vendors take objects alone.
 */
export function argumentsObject(json: string): Json {
  if (json === '') return {};
  if (isTooDeep(json)) return { value: json };
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : { value };
  } catch {
    return { value: json };
  }
}
