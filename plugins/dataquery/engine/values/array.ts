/** Arrays of every type, of any number of dimensions, in PostgreSQL's literal form `{1,2,NULL,"a b"}`. */
import { errors } from '../base/errors.js';
import type { Stored, StoredArray } from './stored.js';
import { inZone, type ValueType } from './type.js';

export function arrayType(element: ValueType): ValueType {
  const parse = (text: string): Stored => new ArrayLiteral(text, element).read();
  const fromJson = (value: unknown): Stored | null => {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) throw tooManyItems();
      return value.map((item) => (Array.isArray(item) ? fromJson(item) : element.fromJson(item)));
    }
    if (typeof value === 'string') return parse(value);
    throw errors['22P02']({ message: 'expected JSON array' });
  };
  return {
    name: `${element.name}[]`,
    family: 'array',
    element,
    ordered: false,
    equality: element.equality,
    parse,
    fromJson,
    toJson: (value) => print(value as StoredArray, (item) => element.toJson(item), '[', 'null', ']'),
    toText: (value) => print(value as StoredArray, (item) => quoted(element.toText(item)), '{', 'NULL', '}'),
    compare: (a, b) => compareArrays(a as StoredArray, b as StoredArray, element),
    ...(element.inZone === undefined ? {} : { inZone: (zone) => arrayType(inZone(element, zone)) }),
  };
}

function print(
  items: StoredArray,
  one: (item: Stored) => string,
  open: string,
  absent: string,
  close: string,
): string {
  const parts = items.map((item) =>
    item === null ? absent : isArray(item) ? print(item, one, open, absent, close) : one(item),
  );
  return `${open}${parts.join(',')}${close}`;
}

function quoted(text: string): string {
  const plain = text !== '' && !/[{}",\\\s]/.test(text) && text.toUpperCase() !== 'NULL';
  return plain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Item by item, an item before an array, null last; a prefix comes first. */
function compareArrays(a: StoredArray, b: StoredArray, element: ValueType): number {
  for (let at = 0; at < a.length; at += 1) {
    const left = a[at]!;
    const right = b[at];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    if (isArray(left) !== isArray(right)) return isArray(left) ? 1 : -1;
    const order =
      isArray(left) && isArray(right) ? compareArrays(left, right, element) : element.compare(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function isArray(value: Stored): value is StoredArray {
  return Array.isArray(value);
}

/** PostgreSQL's limit. */
const MAX_DIMENSIONS = 6;

/** Per array: each row with it is read, compared and printed in one go. */
const MAX_ITEMS = 50_000;

function tooManyItems(): Error {
  return errors['54000']({ message: `array size exceeds the maximum allowed (${MAX_ITEMS})` });
}

class ArrayLiteral {
  readonly #text: string;
  readonly #element: ValueType;
  #at = 0;
  #count = 0;

  constructor(text: string, element: ValueType) {
    this.#text = text;
    this.#element = element;
  }

  read(): StoredArray {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '{') {
      throw this.#malformed('Array value must start with "{" or dimension information.');
    }
    const items = this.#items(1);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#malformed('Junk after closing right brace.');
    return items;
  }

  #items(dimension: number): StoredArray {
    if (dimension > MAX_DIMENSIONS) {
      throw errors['54000']({
        message: `number of array dimensions (${dimension}) exceeds the maximum allowed (${MAX_DIMENSIONS})`,
      });
    }
    const items: (Stored | null)[] = [];
    this.#at++;
    this.#skipBlanks();
    if (this.#take('}')) return items;
    for (;;) {
      this.#skipBlanks();
      if (++this.#count > MAX_ITEMS) throw tooManyItems();
      items.push(this.#text[this.#at] === '{' ? this.#items(dimension + 1) : this.#item());
      this.#skipBlanks();
      if (this.#take('}')) return items;
      if (!this.#take(',')) throw this.#malformed('Unexpected end of input.');
    }
  }

  #item(): Stored | null {
    if (this.#take('"')) return this.#element.parse(this.#quoted());
    const start = this.#at;
    let text = '';
    while (this.#at < this.#text.length && !/[,{}"]/.test(this.#text.charAt(this.#at))) {
      if (this.#text[this.#at] === '\\') this.#at++;
      text += this.#text[this.#at++] ?? '';
    }
    const item = text.trimEnd();
    if (item === '') throw this.#malformed(`Unexpected "${this.#text.charAt(start)}" character.`);
    return item.toUpperCase() === 'NULL' ? null : this.#element.parse(item);
  }

  /** The rest of a quoted item, including its closing quote. */
  #quoted(): string {
    let text = '';
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++];
      if (character === '"') return text;
      text += character === '\\' ? (this.#text[this.#at++] ?? '') : character;
    }
    throw this.#malformed('Unexpected end of input.');
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
  }

  #malformed(details: string): Error {
    return errors['22P02']({ message: `malformed array literal: "${this.#text}"`, details });
  }
}
