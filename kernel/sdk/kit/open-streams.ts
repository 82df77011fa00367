/** Streams that are open at the same time, by whom they are counted for: of this instance. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Opens one, and answers true, where fewer than `most` are open. */
  enter(name: string, most: number): boolean {
    const open = this.#open.get(name) ?? 0;
    if (open >= most) return false;
    this.#open.set(name, open + 1);
    return true;
  }

  leave(name: string): void {
    const open = (this.#open.get(name) ?? 0) - 1;
    if (open > 0) this.#open.set(name, open);
    else this.#open.delete(name);
  }
}
