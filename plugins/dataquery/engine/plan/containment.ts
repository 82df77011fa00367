/** `@>` and `&&`: of arrays by their elements, of jsonb by structure. */
import { errors } from '../base/errors.js';
import { compareJson } from '../values/json.js';
import { NumberLiteral, parseJson } from '../values/json-text.js';
import type { Stored } from '../values/stored.js';
import type { ValueType } from '../values/type.js';

/** Every element of `part` is one of `whole`; a document contains what it has in the same place. */
export function contains(type: ValueType, whole: Stored, part: Stored): boolean {
  if (type.family !== 'array') {
    return new Containment().holds(parseJson(whole as string), parseJson(part as string), true);
  }
  const elements = elementTexts(type, whole);
  return [...elementTexts(type, part)].every((text) => text !== null && elements.has(text));
}

export function overlaps(type: ValueType, a: Stored, b: Stored): boolean {
  const elements = elementTexts(type, a);
  return [...elementTexts(type, b)].some((text) => text !== null && elements.has(text));
}

/** The elements at any depth; null for null, which equals nothing. */
function elementTexts(type: ValueType, array: Stored, into = new Set<string | null>()): Set<string | null> {
  for (const item of array as readonly (Stored | null)[]) {
    if (Array.isArray(item)) elementTexts(type, item, into);
    else into.add(item === null ? null : type.element!.toText(item));
  }
  return into;
}

/** Each item is searched among all items of the other side: the work is the product of both sizes. */
const MOST_STEPS = 1_000_000;

/** Containment of jsonb (PostgreSQL documentation, 8.14.3): an array may contain a bare scalar, only at the top. */
class Containment {
  #steps = 0;

  /** Throws 54000. */
  holds(whole: unknown, part: unknown, top: boolean): boolean {
    if (++this.#steps > MOST_STEPS) {
      throw errors['54000']({ message: 'the documents are too large to look for one in the other' });
    }
    if (Array.isArray(whole)) {
      if (Array.isArray(part)) {
        return part.every((item) => whole.some((other) => this.holds(other, item, false)));
      }
      return top && !isObject(part) && whole.some((item) => compareJson(item, part) === 0);
    }
    if (isObject(whole)) {
      return (
        isObject(part) &&
        Object.entries(part).every(
          ([key, item]) => Object.hasOwn(whole, key) && this.holds(whole[key], item, false),
        )
      );
    }
    return !Array.isArray(part) && !isObject(part) && compareJson(whole, part) === 0;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
  );
}
