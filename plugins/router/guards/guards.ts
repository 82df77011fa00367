/** The guards of chats: those of the config, then those that other plugins register. */
import type { AnswerCheck, AnswerText, ChatGuard, Principal } from 'plugboard/sdk';
import type { AnswerPart, NeutralAnswer, NeutralEvent, OpenPart } from '../dialects/neutral.js';
import { HeldText, lookThrough } from './held-text.js';
import { mapValues, mapValuesLater } from './values.js';

type After = NonNullable<ChatGuard['after']>;

/** What all guards make of one answer. */
export class AnswerGuard {
  readonly #checks: readonly { readonly window: number; readonly check: AnswerCheck }[];
  /** Of the part that is open in a stream. */
  #open: { readonly kind: OpenPart['kind']; readonly held: readonly HeldText[] } | undefined;
  #arguments = '';

  constructor(afters: readonly After[], caller: Principal) {
    this.#checks = afters.map(({ window, begin }) => ({ window, check: begin({ caller }) }));
  }

  /** Throws what a guard refuses it with. */
  async whole(answer: NeutralAnswer): Promise<NeutralAnswer> {
    const parts: AnswerPart[] = [];
    for (const part of answer.parts) parts.push(await this.#part(part));
    return { ...answer, parts };
  }

  /** The same for the events of a stream, in their order. */
  take(event: NeutralEvent): readonly NeutralEvent[] {
    switch (event.type) {
      case 'open':
        this.#open = { kind: event.part.kind, held: this.#hold(TEXTS[event.part.kind]) };
        return [event];
      case 'delta': {
        if (this.#open?.kind !== 'call') return this.#said((held, text) => held.take(text), event.text);
        // What it says is in its values, and they are escaped.
        this.#arguments += event.text;
        return [];
      }
      // What was signed is no longer what is sent.
      case 'signature':
        return [...this.#rest(), ...(this.#isChanged ? [] : [event])];
      case 'close': {
        const rest = this.#rest();
        this.#open = undefined;
        return [...rest, event];
      }
      default:
        return [event];
    }
  }

  get #isChanged(): boolean {
    return this.#open?.held.some(({ isChanged }) => isChanged) === true;
  }

  #rest(): NeutralEvent[] {
    if (this.#open?.kind !== 'call') return this.#said((held, text) => held.take(text) + held.end(), '');
    const look = (value: string): string =>
      this.#hold('arguments').reduce((passed, held) => held.take(passed) + held.end(), value);
    const text = mapValues(this.#arguments, look);
    this.#arguments = '';
    return text === '' ? [] : [{ type: 'delta', text }];
  }

  /** Each guard sees what the one before lets go on. */
  #said(step: (held: HeldText, text: string) => string, said: string): NeutralEvent[] {
    const text = (this.#open?.held ?? []).reduce((passed, held) => step(held, passed), said);
    return text === '' ? [] : [{ type: 'delta', text }];
  }

  async #part(part: AnswerPart): Promise<AnswerPart> {
    if (part.kind === 'call') {
      const look = (value: string): Promise<string> => lookThrough(value, this.#hold('arguments'));
      return { ...part, arguments: await mapValuesLater(part.arguments, look) };
    }
    const held = this.#hold(TEXTS[part.kind]);
    const text = await lookThrough(part.text, held);
    // What was signed is no longer what is sent.
    if (part.kind === 'thinking' && held.some(({ isChanged }) => isChanged))
      return { kind: 'thinking', text };
    return { ...part, text };
  }

  #hold(of: AnswerText): HeldText[] {
    return this.#checks.map(
      ({ window, check }) => new HeldText(window, (text, from) => check(text, from, of)),
    );
  }
}

const TEXTS: Readonly<Record<OpenPart['kind'], AnswerText>> = {
  text: 'text',
  thinking: 'thinking',
  call: 'arguments',
};

export class AnswerGuards {
  readonly #afters = new Set<After>();

  /** Returns the removal. */
  add(after: After): () => void {
    const { window } = after;
    if (!Number.isInteger(window) || window < 0 || window > MOST_HELD)
      throw new TypeError(`the window of a guard is a whole number from 0 to ${MOST_HELD}, not ${window}`);
    // A set takes what is there already once.
    const own = { window, begin: after.begin.bind(after) };
    this.#afters.add(own);
    return () => void this.#afters.delete(own);
  }

  get isEmpty(): boolean {
    return this.#afters.size === 0;
  }

  /** Undefined if there are none. */
  begin(caller: Principal): AnswerGuard | undefined {
    return this.isEmpty ? undefined : new AnswerGuard([...this.#afters], caller);
  }
}

const MOST_HELD = 10_000;
