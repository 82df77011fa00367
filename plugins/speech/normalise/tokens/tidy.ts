/** The normalised text as it grows: one space between words, none before a mark, no mark at the start of a line. */
export class Tidy {
  /** Characters, as the last ones may be taken back; a string would be copied at each look at its end. */
  readonly #out: string[] = [];

  add(text: string): void {
    for (const character of text) this.#addOne(character);
  }

  end(): string {
    const text = this.#out.join('').trim();
    return text.endsWith(',') ? text.slice(0, -1) : text;
  }

  get #last(): string {
    return this.#out.at(-1) ?? '\n';
  }

  #addOne(character: string): void {
    if (character === '\n') {
      this.#dropSpace();
      if (this.#last !== '\n') this.#out.push('\n');
    } else if (character.trim() === '') {
      if (this.#last !== ' ' && this.#last !== '\n') this.#out.push(' ');
    } else if (isMark(character)) {
      this.#addMark(character);
    } else {
      if (isMark(this.#last)) this.#out.push(' ');
      this.#out.push(character);
    }
  }

  /** The first of several marks stays, but a comma gives way. */
  #addMark(mark: string): void {
    this.#dropSpace();
    const before = this.#last;
    if (before === '\n') return;
    if (before === ',' && mark !== ',') this.#out.pop();
    else if (isMark(before)) return;
    this.#out.push(mark);
  }

  /** There is one at most. */
  #dropSpace(): void {
    if (this.#last === ' ') this.#out.pop();
  }
}

function isMark(character: string): boolean {
  return character === '.' || character === ',' || character === '?' || character === '!';
}
