/**
 * The syntax of regular expressions as PostgreSQL reads them (documentation, 9.7.3), without back references and
 * look-around: those need backtracking, whose time a client could make exponential.
 */
import { errors } from '../errors.js';

export type CharTest = (char: string) => boolean;
export type Place = 'start' | 'end' | 'word-start' | 'word-end' | 'word-edge' | 'not-word-edge';

export type Node =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'place'; readonly place: Place };

const MAX_REPEAT = 255;
const MAX_DEPTH = 100;

const CLASSES: Readonly<Record<string, CharTest>> = {
  d: (char) => /\p{Nd}/u.test(char),
  w: (char) => /[\p{L}\p{N}_]/u.test(char),
  s: (char) => /\s/u.test(char),
};
const NAMED: Readonly<Record<string, CharTest>> = {
  alpha: (char) => /\p{L}/u.test(char),
  digit: CLASSES['d']!,
  alnum: (char) => /[\p{L}\p{N}]/u.test(char),
  upper: (char) => /\p{Lu}/u.test(char),
  lower: (char) => /\p{Ll}/u.test(char),
  space: CLASSES['s']!,
  blank: (char) => char === ' ' || char === '\t',
  punct: (char) => /[\p{P}\p{S}]/u.test(char),
  cntrl: (char) => /\p{Cc}/u.test(char),
  xdigit: (char) => /[0-9a-fA-F]/.test(char),
  print: (char) => !/\p{Cc}/u.test(char),
  graph: (char) => !/[\p{Cc}\s]/u.test(char),
};
const PLACES: Readonly<Record<string, Place>> = {
  m: 'word-start',
  M: 'word-end',
  y: 'word-edge',
  Y: 'not-word-edge',
  A: 'start',
  Z: 'end',
};
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
};

/** Throws 2201B with PostgreSQL's reason. */
export function parsePattern(source: string, ignoreCase: boolean): Node {
  const reader = new Reader([...source]);
  const node = readChoice(reader, 0);
  if (!reader.done) throw invalid('parentheses () not balanced');
  return ignoreCase ? inAnyCase(node) : node;
}

function inAnyCase(node: Node): Node {
  switch (node.kind) {
    case 'char': {
      const { test } = node;
      return {
        kind: 'char',
        test: (char) => test(char) || test(char.toLowerCase()) || test(char.toUpperCase()),
      };
    }
    case 'repeat':
      return { ...node, node: inAnyCase(node.node) };
    case 'place':
      return node;
    default:
      return { ...node, nodes: node.nodes.map(inAnyCase) };
  }
}

class Reader {
  readonly chars: readonly string[];
  at = 0;
  constructor(chars: readonly string[]) {
    this.chars = chars;
  }
  get done(): boolean {
    return this.at >= this.chars.length;
  }
  peek(ahead = 0): string | undefined {
    return this.chars[this.at + ahead];
  }
  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at += 1;
    return true;
  }
  next(): string | undefined {
    return this.chars[this.at++];
  }
}

function readChoice(reader: Reader, depth: number): Node {
  if (depth > MAX_DEPTH) throw invalid('regular expression is too complex');
  const nodes: Node[] = [];
  do nodes.push(readSequence(reader, depth));
  while (reader.take('|'));
  return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes };
}

function readSequence(reader: Reader, depth: number): Node {
  const nodes: Node[] = [];
  while (!reader.done && reader.peek() !== '|' && reader.peek() !== ')') {
    nodes.push(readRepeated(reader, depth));
  }
  return { kind: 'sequence', nodes };
}

function readRepeated(reader: Reader, depth: number): Node {
  let node = readAtom(reader, depth);
  for (let bounds = readBounds(reader); bounds !== undefined; bounds = readBounds(reader)) {
    if (node.kind === 'repeat') throw invalid('quantifier operand invalid');
    node = { kind: 'repeat', node, ...bounds };
    // A lazy quantifier finds the same texts.
    reader.take('?');
  }
  return node;
}

function readBounds(reader: Reader): { min: number; max: number } | undefined {
  if (reader.take('*')) return { min: 0, max: Infinity };
  if (reader.take('+')) return { min: 1, max: Infinity };
  if (reader.take('?')) return { min: 0, max: 1 };
  if (reader.peek() !== '{' || !/\d/.test(reader.peek(1) ?? '')) return undefined;
  const bounds = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(
    reader.chars.slice(reader.at, reader.at + 12).join(''),
  );
  if (bounds === null) throw invalid('invalid repetition count(s)');
  reader.at += bounds[0].length;
  const min = Number(bounds[1]);
  const max = bounds[2] === undefined ? min : bounds[3] === undefined ? Infinity : Number(bounds[3]);
  if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT) || min > max) {
    throw invalid('invalid repetition count(s)');
  }
  return { min, max };
}

function readAtom(reader: Reader, depth: number): Node {
  const char = reader.next()!;
  switch (char) {
    case '(':
      return readGroup(reader, depth);
    case '[':
      return { kind: 'char', test: readBracket(reader) };
    case '.':
      return { kind: 'char', test: () => true };
    case '^':
      return { kind: 'place', place: 'start' };
    case '$':
      return { kind: 'place', place: 'end' };
    case '\\':
      return readEscape(reader);
    case '*':
    case '+':
    case '?':
      throw invalid('quantifier operand invalid');
    default:
      return { kind: 'char', test: (other) => other === char };
  }
}

function readGroup(reader: Reader, depth: number): Node {
  if (reader.take('?') && !reader.take(':')) throw invalid('look-around is not supported');
  const node = readChoice(reader, depth + 1);
  if (!reader.take(')')) throw invalid('parentheses () not balanced');
  // A group of its own, so that a quantifier behind it is not the second one of its content.
  return { kind: 'sequence', nodes: [node] };
}

function readEscape(reader: Reader): Node {
  const char = reader.next();
  if (char === undefined) throw invalid('invalid escape \\ sequence');
  const place = Object.hasOwn(PLACES, char) ? PLACES[char] : undefined;
  if (place !== undefined) return { kind: 'place', place };
  if (/[1-9]/.test(char)) throw invalid('back references are not supported');
  return { kind: 'char', test: escapedClass(char) ?? literal(char) };
}

function escapedClass(char: string): CharTest | undefined {
  const test = CLASSES[char.toLowerCase()];
  if (test === undefined) return undefined;
  return char === char.toLowerCase() ? test : (other) => !test(other);
}

function literal(char: string): CharTest {
  const meant = Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : char;
  if (meant === char && /[\p{L}\p{N}]/u.test(char)) throw invalid('invalid escape \\ sequence');
  return (other) => other === meant;
}

/** `[^a-z[:digit:]_]`; a bracket that comes first is itself. */
function readBracket(reader: Reader): CharTest {
  const negated = reader.take('^');
  const tests: CharTest[] = [];
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) throw invalid('brackets [] not balanced');
    tests.push(readBracketItem(reader));
  }
  reader.at += 1;
  return (char) => tests.some((test) => test(char)) !== negated;
}

function readBracketItem(reader: Reader): CharTest {
  const char = reader.next()!;
  if (char === '[' && reader.peek() === ':') return readNamed(reader);
  if (char === '\\' && !reader.done) {
    const escaped = reader.next()!;
    return escapedClass(escaped) ?? literal(escaped);
  }
  if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === undefined) {
    return (other) => other === char;
  }
  reader.at += 1;
  const [from, to] = [char.codePointAt(0)!, reader.next()!.codePointAt(0)!];
  if (from > to) throw invalid('invalid character range');
  return (other) => other.codePointAt(0)! >= from && other.codePointAt(0)! <= to;
}

function readNamed(reader: Reader): CharTest {
  const name = /^:([a-z]+):\]/.exec(reader.chars.slice(reader.at, reader.at + 12).join(''))?.[1];
  const test = name !== undefined && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (name === undefined || test === undefined) throw invalid('invalid character class');
  reader.at += name.length + 3;
  return test;
}

function invalid(reason: string): Error {
  return errors['2201B']({ values: { reason } });
}
