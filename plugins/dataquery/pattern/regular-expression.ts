/**
 * `match` and `imatch`: regular expressions that clients write. All ways through the pattern are followed at the
 * same time (Thompson's construction), so the time is at most the product of the lengths of pattern and text.
 */
import { errors } from '../errors.js';
import { parsePattern, type CharTest, type Node, type Place } from './syntax.js';

type Instruction =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'place'; readonly place: Place }
  /** Goes on at both. */
  | { kind: 'fork'; a: number; b: number }
  | { readonly kind: 'found' };

const MAX_INSTRUCTIONS = 5_000;

/** Whether the pattern is found anywhere in a text. Throws 2201B for a pattern that cannot be read. */
export function regularExpression(source: string, ignoreCase: boolean): (text: string) => boolean {
  const program: Instruction[] = [];
  emit(program, parsePattern(source, ignoreCase));
  program.push({ kind: 'found' });
  return (text) => search(program, [...text]);
}

function emit(program: Instruction[], node: Node): void {
  if (program.length > MAX_INSTRUCTIONS) {
    throw errors['2201B']({ values: { reason: 'regular expression is too complex' } });
  }
  switch (node.kind) {
    case 'char':
    case 'place':
      program.push(node);
      return;
    case 'sequence':
      for (const part of node.nodes) emit(program, part);
      return;
    case 'choice':
      emitChoice(program, node.nodes);
      return;
    case 'repeat':
      emitRepeat(program, node.node, node.min, node.max);
  }
}

function emitChoice(program: Instruction[], nodes: readonly Node[]): void {
  const ends: { a: number; b: number }[] = [];
  for (const [at, node] of nodes.entries()) {
    if (at === nodes.length - 1) emit(program, node);
    else {
      const fork = pushFork(program);
      emit(program, node);
      ends.push(pushFork(program));
      fork.b = program.length;
    }
  }
  for (const end of ends) end.a = end.b = program.length;
}

function emitRepeat(program: Instruction[], node: Node, min: number, max: number): void {
  for (let count = 0; count < min; count += 1) emit(program, node);
  if (max === Infinity) {
    const start = program.length;
    const fork = pushFork(program);
    emit(program, node);
    const back = pushFork(program);
    back.a = back.b = start;
    fork.b = program.length;
    return;
  }
  const forks: { b: number }[] = [];
  for (let count = min; count < max; count += 1) {
    forks.push(pushFork(program));
    emit(program, node);
  }
  for (const fork of forks) fork.b = program.length;
}

function pushFork(program: Instruction[]): { a: number; b: number } {
  const fork = { kind: 'fork' as const, a: program.length + 1, b: program.length + 1 };
  program.push(fork);
  return fork;
}

function search(program: readonly Instruction[], chars: readonly string[]): boolean {
  let states: number[] = [];
  const seen = new Int32Array(program.length).fill(-1);
  for (let at = 0; at <= chars.length; at += 1) {
    const open = [...states, 0];
    states = [];
    while (open.length > 0) {
      const state = open.pop()!;
      if (seen[state] === at) continue;
      seen[state] = at;
      const instruction = program[state]!;
      if (instruction.kind === 'found') return true;
      if (instruction.kind === 'fork') open.push(instruction.a, instruction.b);
      else if (instruction.kind === 'place') {
        if (isAt(instruction.place, chars, at)) open.push(state + 1);
      } else if (at < chars.length && instruction.test(chars[at]!)) states.push(state + 1);
    }
  }
  return false;
}

function isAt(place: Place, chars: readonly string[], at: number): boolean {
  const before = isWord(chars[at - 1]);
  const after = isWord(chars[at]);
  switch (place) {
    case 'start':
      return at === 0;
    case 'end':
      return at === chars.length;
    case 'word-start':
      return !before && after;
    case 'word-end':
      return before && !after;
    case 'word-edge':
      return before !== after;
    case 'not-word-edge':
      return before === after;
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char);
}
