/**
 * The body of a call on its way to an upstream. A member whose value nothing of ours changed keeps the text that
 * the client wrote: parsed and serialized again, an integer beyond 2^53 would lose digits.
 */
import { memberTexts } from './member-texts.js';

export class RequestBody<T extends object> {
  readonly value: T;
  readonly #text: string | undefined;
  /** Found once, however many upstreams are tried. */
  #members: ReadonlyMap<string, string> | undefined;

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

  /** JSON of what has become of the value. */
  write(changed: Readonly<Record<string, unknown>>): string {
    if (this.#text === undefined) return JSON.stringify(changed);
    this.#members ??= memberTexts(this.#text);
    const parsed = this.value as Readonly<Record<string, unknown>>;
    let json = '';
    for (const name in changed) {
      const value = changed[name];
      const kept = Object.is(parsed[name], value) ? this.#members.get(name) : undefined;
      const text = kept ?? JSON.stringify(value);
      // As `JSON.stringify` does, leave out what is undefined.
      if (text !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
    }
    return `{${json}}`;
  }
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
