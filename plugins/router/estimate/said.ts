/** What a model has said so far, for an estimate of its tokens should the upstream report none. */
import type { Answered } from './estimator.js';

/** Pieces that are kept apart: a string of many small ones takes several times the memory of its text. */
const PIECES = 64;
/** Characters that are kept of an answer. */
const KEPT = 1_000_000;

export class Said {
  #text = '';
  #pieces: string[] = [];
  #characters = 0;

  add(text: string): void {
    this.#characters += text.length;
    if (this.#characters <= KEPT && this.#pieces.push(text) === PIECES) this.#join();
  }

  /** The text, or its length if it is too long to keep. */
  get all(): Answered {
    this.#join();
    return this.#characters <= KEPT ? this.#text : { characters: this.#characters };
  }

  #join(): void {
    this.#text = [this.#text, ...this.#pieces].join('');
    this.#pieces = [];
  }
}
