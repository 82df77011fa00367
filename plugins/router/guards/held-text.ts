/**
 * One text of an answer under a guard, piece by piece: what may still become part of a match is held back. Matches of up
 * to `window` characters are found wherever the pieces are cut.
 */
import { nextTurn, turnIsOver, type Redaction } from 'plugboard/sdk';

/** From the second argument on. */
export type Check = (text: string, from: number) => readonly Redaction[];

export class HeldText {
  readonly #window: number;
  /** Characters that come before it is looked again: each look reads the window once more. */
  readonly #step: number;
  readonly #check: Check;
  /** What is held, behind the last character that is out: `\b` and `^` look at it. */
  #text = '';
  #out = 0;
  #isChanged = false;

  constructor(window: number, check: Check, step = Math.ceil(window / 2)) {
    this.#window = window;
    this.#step = step;
    this.#check = check;
  }

  /** Something was replaced. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** What may go on. */
  take(text: string): string {
    this.#text += text;
    const free = this.#text.length - this.#out - this.#window;
    return free > 0 && free >= this.#step ? this.#release(this.#text.length - this.#window) : '';
  }

  /** The rest: nothing follows. */
  end(): string {
    return this.#text.length > this.#out ? this.#release(this.#text.length) : '';
  }

  #release(most: number): string {
    const found = inOrder(this.#check(this.#text, this.#out), this.#out, this.#text.length);
    const end = this.#cut(most, found);
    let released = '';
    let at = this.#out;
    for (const { start, end: stop, replacement } of found) {
      if (start >= end) break;
      released += this.#text.slice(at, start) + replacement;
      at = stop;
      this.#isChanged = true;
    }
    released += this.#text.slice(at, end);
    this.#text = this.#text.slice(end - 1);
    this.#out = 1;
    return released;
  }

  /** A match is released as a whole, and not before it is long over, or at the front: there it is longer than the window. */
  #cut(most: number, found: readonly Redaction[]): number {
    const crossing = found.find(({ start, end }) => start < most && end > most);
    if (crossing !== undefined) return crossing.start > this.#out ? crossing.start : crossing.end;
    const isPair = most < this.#text.length && isLowSurrogate(this.#text.charCodeAt(most));
    return isPair ? most + 1 : most;
  }
}

/** Characters that are looked through at once: a bad pattern takes some tens of milliseconds for them. */
const PIECE = 4_096;

/** A whole text through several checks, each of what the one before lets go on. Other calls pass in between. */
export async function lookThrough(text: string, held: readonly HeldText[]): Promise<string> {
  let passed = text;
  for (const one of held) {
    const whole = passed;
    passed = '';
    for (let at = 0; at < whole.length; at += PIECE) {
      passed += one.take(whole.slice(at, at + PIECE));
      if (turnIsOver()) await nextTurn();
    }
    passed += one.end();
  }
  return passed;
}

/** Within the text from `from` on, in order and apart. */
function inOrder(redactions: readonly Redaction[], from: number, length: number): Redaction[] {
  const ordered: Redaction[] = [];
  for (const redaction of redactions.toSorted((a, b) => a.start - b.start)) {
    const last = ordered.at(-1);
    const start = Math.max(redaction.start, from, last?.end ?? 0);
    const end = Math.min(redaction.end, length);
    if (end > start) ordered.push({ start, end, replacement: redaction.replacement });
  }
  return ordered;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
