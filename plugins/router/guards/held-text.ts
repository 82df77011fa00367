/**
 * One guarded text of an answer, piece by piece: text that may still become part of a match is held back. Matches of up
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
  /** The held text, after the last character sent: `\b` and `^` look at that. */
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

  /** A match is released whole, once it is well over or, if longer than the window, when it is at the front. */
  #cut(most: number, found: readonly Redaction[]): number {
    const crossing = found.find(({ start, end }) => start < most && end > most);
    if (crossing !== undefined) return crossing.start > this.#out ? crossing.start : crossing.end;
    const isPair = most < this.#text.length && isLowSurrogate(this.#text.charCodeAt(most));
    return isPair ? most + 1 : most;
  }
}

/** Characters searched at once: a bad pattern takes some tens of milliseconds for them. */
const PIECE = 4_096;

/** Runs a whole text through several checks, each on the result of the one before, yielding to other calls. */
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
