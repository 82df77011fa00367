/** Reads mappings, lists and scalars from a source file; problems are recorded there, and a harmless value returned. */
import { suggestion } from './suggestion.js';
import type { Place, SourceFile } from './source.js';

export class Reading {
  readonly source: SourceFile;

  constructor(source: SourceFile) {
    this.source = source;
  }

  /** The members of a mapping. With `allowed`, unknown keys are problems and left out. */
  members(place: Place | undefined, allowed?: readonly string[]): Map<string, Place> {
    const members = new Map<string, Place>();
    if (place === undefined) return members;
    if (place.entries === undefined) {
      this.source.error(place, `must be a mapping, not ${kind(place.value)}`);
      return members;
    }
    for (const [name, { key, value }] of place.entries) {
      if (allowed === undefined || allowed.includes(name)) members.set(name, value);
      else
        this.source.error(
          key,
          `unknown key "${name}"${suggestion(name, allowed)} (allowed: ${allowed.join(', ')})`,
        );
    }
    return members;
  }

  list(place: Place | undefined): readonly Place[] {
    if (place === undefined) return [];
    if (place.items !== undefined) return place.items;
    this.source.error(place, `must be a list, not ${kind(place.value)}`);
    return [];
  }

  text(place: Place | undefined): string | undefined {
    if (place === undefined) return undefined;
    if (typeof place.value === 'string') return place.value;
    // YAML does not read the name `1` or `true` as text.
    if (typeof place.value === 'number' || typeof place.value === 'boolean') return String(place.value);
    this.source.error(place, `must be text, not ${kind(place.value)}`);
    return undefined;
  }

  texts(place: Place | undefined): string[] {
    return this.list(place).flatMap((item) => this.text(item) ?? []);
  }

  flag(place: Place | undefined): boolean {
    if (place === undefined) return false;
    if (typeof place.value === 'boolean') return place.value;
    this.source.error(place, `must be true or false, not ${kind(place.value)}`);
    return false;
  }

  integer(place: Place | undefined): number | undefined {
    if (place === undefined) return undefined;
    if (Number.isSafeInteger(place.value)) return place.value as number;
    this.source.error(place, `must be an integer, not ${kind(place.value)}`);
    return undefined;
  }

  oneOf<T extends string>(place: Place | undefined, allowed: readonly T[], otherwise: T): T {
    const text = this.text(place);
    if (text === undefined || place === undefined) return otherwise;
    const found = allowed.find((one) => one === text.toLowerCase());
    if (found === undefined) {
      this.source.error(
        place,
        `must be one of ${allowed.map((one) => `"${one}"`).join(', ')}${suggestion(text, allowed)}`,
      );
    }
    return found ?? otherwise;
  }
}

function kind(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
