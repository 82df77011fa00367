/** Calls may come without an id: their results follow in the same order, for each function or for all of them. */
export class CallIds {
  readonly #calls = new Map<string | undefined, { readonly ids: string[]; next: number }>();
  readonly #answered = new Set<string>();
  #made = 0;

  call(id: string | undefined, name: string): string {
    this.#made += 1;
    const known = id ?? `call_${this.#made}`;
    for (const key of [name, undefined]) {
      const calls = this.#calls.get(key);
      if (calls === undefined) this.#calls.set(key, { ids: [known], next: 0 });
      else calls.ids.push(known);
    }
    return known;
  }

  /** Without a name it is the result of the first call that has none. */
  result(id: string | undefined, name: string | undefined): string {
    const known = id ?? this.#next(name) ?? name ?? 'call';
    this.#answered.add(known);
    return known;
  }

  #next(name: string | undefined): string | undefined {
    const calls = this.#calls.get(name);
    if (calls === undefined) return undefined;
    while (this.#answered.has(calls.ids[calls.next] ?? '')) calls.next += 1;
    return calls.ids[calls.next];
  }
}
