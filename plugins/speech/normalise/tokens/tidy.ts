/** Of a character of the normalised text: where in the input the piece stands that it was read from. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** The normalised text as it grows: one space between words, none before a mark, no mark at the start of a line. */
export class Tidy {
  /** Characters, as the last ones may be taken back; a string would be copied at each look at its end. */
  readonly #out: string[] = [];
  readonly #places: Place[] = [];
  /** Of what is added now. */
  #place: Place = { from: 0, to: 0 };

  /** What was read from the piece of the input. */
  add(text: string, place: Place): void {
    this.#place = place;
    for (const character of text) this.#addOne(character);
  }

  /** What stands in the input as it is. */
  copy(text: string, from: number): void {
    for (let at = 0; at < text.length; at += 1)
      this.add(text.charAt(at), { from: from + at, to: from + at + 1 });
  }

  /** The text begins with no space, so each of its characters has the place of its index. */
  end(): { text: string; places: readonly Place[] } {
    const text = this.#out.join('').trimEnd();
    return { text: text.endsWith(',') ? text.slice(0, -1) : text, places: this.#places };
  }

  get #last(): string {
    return this.#out.at(-1) ?? '\n';
  }

  #addOne(character: string): void {
    if (character === '\n') {
      this.#dropSpace();
      if (this.#last !== '\n') this.#push('\n');
    } else if (character.trim() === '') {
      if (this.#last !== ' ' && this.#last !== '\n') this.#push(' ');
    } else if (isMark(character)) {
      this.#addMark(character);
    } else {
      if (isMark(this.#last)) this.#push(' ');
      this.#push(character);
    }
  }

  /** The first of several marks stays, but a comma gives way. */
  #addMark(mark: string): void {
    this.#dropSpace();
    const before = this.#last;
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

  /** There is one at most. */
  #dropSpace(): void {
    if (this.#last === ' ') this.#pop();
  }
}

function isMark(character: string): boolean {
  return character === '.' || character === ',' || character === '?' || character === '!';
}
