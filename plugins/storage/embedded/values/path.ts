/** Dotted paths through objects and arrays, as in MongoDB. */
import { StorageError } from 'plugboard/sdk';
import { isPlainObject } from '../../bson/value.js';

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Names with dots between them; none is empty or begins with a dollar. */
const PATH = /^[^\0$.][^\0.]*(?:\.[^\0$.][^\0.]*)*$/;

export type Path = readonly string[];

/** Checks a path of a call, which `what` names; throws `invalid`. Filters allow more. */
export function checkPath(what: string, path: string): string {
  if (!PATH.test(path))
    throw new StorageError(
      'invalid',
      `${what}: ${JSON.stringify(path)} is not a path: names with dots between them, none of which begins with $`,
    );
  return path;
}

export function parsePath(path: string): Path {
  return path.split('.');
}

export function arrayIndex(part: string): number | undefined {
  return INDEX.test(part) ? Number(part) : undefined;
}

/** `whole`: an array reached by an index counts only as itself, not as its items. */
export type LeafTest = (leaf: unknown, whole?: boolean) => boolean;

/**
 * True if `test` holds for something at the path. On the way, an array counts as each of its objects, and as its item
 * if the part is a number. A missing member is tested as `undefined`; items of an array that are not objects are not
 * tested.
 */
export function someAt(value: unknown, path: Path, at: number, test: LeafTest): boolean {
  if (at === path.length) return test(value);
  const part = path[at]!;
  if (Array.isArray(value)) {
    const index = arrayIndex(part);
    if (index !== undefined && index < value.length) {
      const item: unknown = value[index];
      const counts = at + 1 === path.length || isPlainObject(item) || Array.isArray(item);
      if (counts && (at + 1 === path.length ? test(item, true) : someAt(item, path, at + 1, test)))
        return true;
    }
    return value.some((item) => isPlainObject(item) && someAt(item, path, at, test));
  }
  if (!isPlainObject(value)) return test(undefined);
  const member = Object.hasOwn(value, part) ? value[part] : undefined;
  return member === undefined ? test(undefined) : someAt(member, path, at + 1, test);
}
