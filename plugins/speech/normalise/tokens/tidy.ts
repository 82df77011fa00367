/** The range of the input from which a character of the normalised text was read. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Collects the normalised text: one space between words, none before a mark, no mark at the start of a line. */
export class Tidy {
  /** An array, as the last characters may be removed; a string would be copied at each look at its end. */
  readonly #out: string[] = [];
  readonly #places: Place[] = [];
  /** For the text that is being added. */
  #place: Place = { from: 0, to: 0 };

  /** Adds the reading of a range of the input. */
  add(text: string, place: Place): void {
    this.#place = place;
    for (const character of text) this.#addOne(character);
  }

  /** Adds input unchanged. */
  copy(text: string, from: number): void {
    for (let at = 0; at < text.length; at += 1)
      this.add(text.charAt(at), { from: from + at, to: from + at + 1 });
  }

  /** The text begins without a space, so each character's place has its index. */
  end(): { text: string; places: readonly Place[] } {
    const text = this.#out.join('').trimEnd();
    return { text: text.endsWith(',') ? text.slice(0, -1) : text, places: this.#places };
  }

  /** The last character so far. */
  get last(): string {
    return this.#out.at(-1) ?? '\n';
  }

  #addOne(character: string): void {
    if (character === '\n') {
      this.#dropSpace();
      if (this.last !== '\n') this.#push('\n');
    } else if (character.trim() === '') {
      if (this.last !== ' ' && this.last !== '\n') this.#push(' ');
    } else if (isMark(character)) {
      this.#addMark(character);
    } else {
      if (isMark(this.last)) this.#push(' ');
      this.#push(character);
    }
  }

  /** The first of several marks stays, except a comma. */
  #addMark(mark: string): void {
    this.#dropSpace();
    const before = this.last;
    if (before === '\n') return;
    if (before === ',' && mark !== ',') this.#pop();
    else if (isMark(before)) return;
    this.#push(mark);
  }

  #push(character: string): void {
    this.#out.push(character);
    this.#places.push(this.#place);
  }

  #pop(): void {
    this.#out.pop();
    this.#places.pop();
  }

  /** There is at most one. */
  #dropSpace(): void {
    if (this.last === ' ') this.#pop();
  }
}

function isMark(character: string): boolean {
  return character === '.' || character === ',' || character === '?' || character === '!';
}
