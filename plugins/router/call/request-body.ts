/**
 * The body of a call on its way to an upstream. A member whose value nothing of ours changed keeps the text that
 * the client wrote: parsed and serialized again, an integer beyond 2^53 would lose digits.
 */
import { membersOf, type Members } from './members.js';

export class RequestBody<T extends object> {
  readonly value: T;
  readonly #text: string | undefined;
  /** Found once, however many upstreams are tried. */
  #members: Members | undefined;

  /** `text`: what `value` was parsed from; without it the value is written. */
  constructor(value: T, text?: string) {
    this.value = value;
    this.#text = text;
  }

  /**
   * The value as others see it, who may answer one of their own but must not change this one: a change would
   * not be in its text. Trying to is a `TypeError`.
   */
  get shown(): T {
    if (this.#text !== undefined) freeze(this.value);
    return this.value;
  }

  /** Characters. */
  get length(): number {
    return (this.#text ?? JSON.stringify(this.value)).length;
  }

  /** Whether the client wrote this anywhere. */
  includes(text: string): boolean {
    return this.#text?.includes(text) === true;
  }

  /** JSON of what has become of the value. */
  write(changed: Readonly<Record<string, unknown>>): string {
    const text = this.#text;
    if (text === undefined) return JSON.stringify(changed);
    this.#members ??= membersOf(text);
    const { spans, areDistinct } = this.#members;
    const parsed = this.value as Readonly<Record<string, unknown>>;
    // Most calls only get another name of the model: the rest of the text stays as it is.
    const only = areDistinct ? onlyChange(parsed, changed, spans.size) : undefined;
    const place = only === undefined ? undefined : spans.get(only);
    if (only !== undefined && place !== undefined)
      return text.slice(0, place.from) + JSON.stringify(changed[only]) + text.slice(place.to);
    let json = '';
    for (const name in changed) {
      const value = changed[name];
      const span = Object.is(parsed[name], value) ? spans.get(name) : undefined;
      const written = span === undefined ? JSON.stringify(value) : text.slice(span.from, span.to);
      // As `JSON.stringify` does, leave out what is undefined.
      if (written !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${written}`;
    }
    return `{${json}}`;
  }
}

/** The only changed member; undefined if none or several changed, or members were added or removed. */
function onlyChange(
  parsed: Readonly<Record<string, unknown>>,
  changed: Readonly<Record<string, unknown>>,
  members: number,
): string | undefined {
  let only: string | undefined;
  let count = 0;
  for (const name in changed) {
    count += 1;
    if (Object.is(parsed[name], changed[name])) continue;
    if (only !== undefined || changed[name] === undefined) return undefined;
    only = name;
  }
  return count === members ? only : undefined;
}

/** A loop and not a recursion: the client decides how deep its JSON is. */
function freeze(value: object): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null || Object.isFrozen(part)) continue;
    Object.freeze(part);
    for (const inner of Object.values(part)) open.push(inner);
  }
}
