/**
 * The shapes of objects: their names in order. Most documents of a collection have the same shape, so after each name
 * the decoder predicts the one that followed it last time, which is faster than reading it. Creating an object with
 * all its names at once takes a tenth of the time, and half of the memory, of adding them one by one.
 */
import type { Values } from './value.js';

/** Larger objects are not remembered: the data decides how many shapes they have. */
const MOST_SHAPES = 2000;
const MOST_NAMES = 64;
/** Generating a constructor pays off after this many objects. */
const WORTH_WRITING = 200;

/** The members to decode: all, or the named ones. Remembers the shapes it has seen. */
export class Members {
  readonly names: ReadonlySet<string> | undefined;
  #start: Shape;
  #count = 0;

  constructor(names?: ReadonlySet<string>) {
    this.names = names;
    this.#start = new Shape(this, undefined, '');
  }

  get start(): Shape {
    return this.#start;
  }

  /** Counts new shapes; beyond the limit all are forgotten. */
  met(): void {
    if (++this.#count < MOST_SHAPES) return;
    this.#count = 0;
    this.#start = new Shape(this, undefined, '');
  }
}

/** An object up to one of its names. */
export class Shape {
  /** Whether the value under the last name is wanted. */
  readonly wanted: boolean;
  /** The number of wanted values so far, and how many more there can be. */
  readonly count: number;
  readonly missing: number;
  /** Whether longer shapes are not remembered. */
  readonly long: boolean;
  readonly #members: Members;
  readonly #before: Shape | undefined;
  readonly #name: string;
  readonly #length: number;
  /** The last name in BSON: its bytes and a NUL. */
  readonly #bytes: Buffer;
  readonly #after = new Map<string, Shape>();
  #expected: Shape | undefined;
  #made = 0;
  #literal: Literal | undefined;

  constructor(members: Members, before: Shape | undefined, name: string) {
    const { names } = members;
    this.#members = members;
    this.#before = before;
    this.#name = name;
    this.#bytes = Buffer.from(`${name}\0`);
    this.#length = before === undefined ? 0 : before.#length + 1;
    this.long = this.#length === MOST_NAMES;
    this.wanted = before !== undefined && (names === undefined || names.has(name));
    this.count = before === undefined ? 0 : before.count + (this.wanted ? 1 : 0);
    this.missing = names === undefined ? Infinity : names.size - this.count;
  }

  /** Bytes of the last name. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The predicted next shape, if the name at `at` matches. */
  expect(source: Buffer, at: number): Shape | undefined {
    const expected = this.#expected;
    if (expected === undefined) return undefined;
    const bytes = expected.#bytes;
    for (let index = 0; index < bytes.length; index++)
      if (source[at + index] !== bytes[index]) return undefined;
    return expected;
  }

  /** The next shape, by its name. */
  with(name: string): Shape {
    let shape = this.#after.get(name);
    if (shape === undefined) {
      shape = new Shape(this.#members, this, name);
      this.#after.set(name, shape);
      this.#members.met();
    }
    this.#expected = shape;
    return shape;
  }

  /** Creates the object of this shape from the values starting at `from`. */
  make(values: readonly unknown[], from: number): Values {
    if (this.#literal !== undefined) return this.#literal(values, from);
    const names = this.#names();
    if (++this.#made === WORTH_WRITING) this.#literal = writeLiteral(names);
    const object: Values = {};
    names.forEach((name, at) => setMember(object, name, values[from + at]));
    return object;
  }

  #names(): string[] {
    const names = this.#before === undefined ? [] : this.#before.#names();
    if (this.wanted) names.push(this.#name);
    return names;
  }
}

/** Every member. */
export const ALL = new Members();

const known = new Map<string, Members>();
/** Keyed by the names as given: every query looks here, and sorting them would dominate. */
const asGiven = new Map<string, Members>();

/** The same `Members` for the same names. */
export function membersOf(names: Iterable<string>): Members {
  const list = [...names];
  const given = JSON.stringify(list);
  let members = asGiven.get(given);
  if (members === undefined) {
    members = inOrder(new Set(list));
    if (asGiven.size >= MOST_SHAPES) asGiven.clear();
    asGiven.set(given, members);
  }
  return members;
}

function inOrder(set: ReadonlySet<string>): Members {
  const key = JSON.stringify([...set].sort());
  let members = known.get(key);
  if (members === undefined) {
    if (known.size >= MOST_SHAPES) known.clear();
    members = new Members(set);
    known.set(key, members);
  }
  return members;
}

type Literal = (values: readonly unknown[], from: number) => Values;

const written = new Map<string, Literal>();

/** The constructor of objects with these members; cached by names. */
export function literalOf(names: readonly string[]): Literal {
  const key = JSON.stringify(names);
  let literal = written.get(key);
  if (literal === undefined) {
    if (written.size >= MOST_SHAPES) written.clear();
    literal = writeLiteral(names);
    written.set(key, literal);
  }
  return literal;
}

/** `(values, from) => ({ "a": values[from + 0], … })`: the names are quoted, so none of them is code. */
function writeLiteral(names: readonly string[]): Literal {
  const members = names.map((name, at) => {
    const quoted = JSON.stringify(name);
    // As a literal key it would set the prototype.
    return `${name === '__proto__' ? `[${quoted}]` : quoted}: values[from + ${at}]`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- the only way to an object that begins with all its names
  return new Function('values', 'from', `return { ${members.join(', ')} };`) as ReturnType<
    typeof writeLiteral
  >;
}

export function setMember(object: Values, name: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}
