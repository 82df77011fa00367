/** Turns as they are read: what one side says in a row is one turn, also the results of parallel calls. */
import type { AnswerPart, Turn, UserPart } from './neutral.js';

export class Turns {
  readonly #turns: ({ role: 'user'; parts: UserPart[] } | { role: 'assistant'; parts: AnswerPart[] })[] = [];

  get all(): readonly Turn[] {
    return this.#turns;
  }

  user(...parts: readonly UserPart[]): void {
    const last = this.#turns.at(-1);
    if (last?.role === 'user') last.parts.push(...parts);
    else this.#turns.push({ role: 'user', parts: [...parts] });
  }

  assistant(...parts: readonly AnswerPart[]): void {
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant') last.parts.push(...parts);
    else this.#turns.push({ role: 'assistant', parts: [...parts] });
  }
}
