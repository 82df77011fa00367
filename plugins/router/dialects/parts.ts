/** An answer from its whole to events and back, and the order of events kept while it is read. */
import type {
  AnswerPart,
  FinishReason,
  NeutralAnswer,
  NeutralEvent,
  NeutralUsage,
  OpenPart,
  Signature,
} from './neutral.js';

/** Takes parts of an answer in any order and emits events in the order that `NeutralEvent` promises. */
export class PartSequence {
  #events: NeutralEvent[] = [];
  #started = false;
  #open: OpenPart['kind'] | undefined;
  #finished = false;
  #hasCalls = false;

  /** The events since it was last asked. */
  taken(): NeutralEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  start(id: string | undefined, model: string | undefined): void {
    if (this.#started) return;
    this.#started = true;
    this.#events.push({ type: 'start', id, model });
  }

  text(text: string): void {
    if (text !== '') this.#into({ kind: 'text' }, text);
  }

  thinking(text: string): void {
    if (text !== '') this.#into({ kind: 'thinking' }, text);
  }

  /** Ends the thinking. Without any before it, the signature has a part of its own. */
  signature(signature: Signature): void {
    if (this.#open !== 'thinking') this.#begin({ kind: 'thinking' });
    this.#events.push({ type: 'signature', signature });
    this.close();
  }

  call(id: string, name: string): void {
    this.#hasCalls = true;
    this.#begin({ kind: 'call', id, name });
  }

  arguments(text: string): void {
    if (text !== '' && this.#open === 'call') this.#events.push({ type: 'delta', text });
  }

  close(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#events.push({ type: 'close' });
  }

  usage(usage: NeutralUsage): void {
    this.start(undefined, undefined);
    this.#events.push({ type: 'usage', usage });
  }

  /** Some upstreams say `stop` of an answer that has calls. */
  finish(reason: FinishReason, stopSequence?: string): void {
    if (this.#finished) return;
    this.start(undefined, undefined);
    this.close();
    this.#finished = true;
    const said = reason === 'stop' && this.#hasCalls ? 'calls' : reason;
    this.#events.push({ type: 'finish', reason: said, stopSequence });
  }

  end(): void {
    this.#events.push({ type: 'end' });
  }

  #into(part: OpenPart, text: string): void {
    if (this.#open !== part.kind) this.#begin(part);
    this.#events.push({ type: 'delta', text });
  }

  #begin(part: OpenPart): void {
    this.start(undefined, undefined);
    this.close();
    this.#open = part.kind;
    this.#events.push({ type: 'open', part });
  }
}

/** A whole answer as events. */
export function eventsOf({ id, model, parts, finish, stopSequence, usage }: NeutralAnswer): NeutralEvent[] {
  const sequence = new PartSequence();
  sequence.start(id, model);
  for (const part of parts) {
    sequence.close();
    if (part.kind === 'text') sequence.text(part.text);
    else if (part.kind === 'thinking') {
      sequence.thinking(part.text);
      if (part.signature !== undefined) sequence.signature(part.signature);
    } else {
      sequence.call(part.id, part.name);
      sequence.arguments(part.arguments);
    }
  }
  sequence.usage(usage);
  sequence.finish(finish, stopSequence);
  sequence.end();
  return sequence.taken();
}

/**
 * Keeps only the first call of an answer: some vendors have no setting against parallel calls, and the client
 * acts on the first before the next.
 */
export class FirstCall {
  #calls = 0;
  #isLeftOut = false;

  /** Whether the event is kept. */
  keeps(event: NeutralEvent): boolean {
    if (event.type === 'open') {
      if (event.part.kind === 'call') this.#calls += 1;
      this.#isLeftOut = event.part.kind === 'call' && this.#calls > 1;
    }
    const isOfPart = event.type === 'open' || event.type === 'delta' || event.type === 'close';
    return !(this.#isLeftOut && isOfPart);
  }

  static of(parts: readonly AnswerPart[]): AnswerPart[] {
    const first = parts.find(({ kind }) => kind === 'call');
    return parts.filter((part) => part.kind !== 'call' || part === first);
  }
}

/** Pieces of one text in a row are one text: a client may read each as JSON. */
export function joined(parts: readonly AnswerPart[]): AnswerPart[] {
  const all: AnswerPart[] = [];
  let pieces: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (part.kind !== 'text') {
      all.push(part);
      continue;
    }
    pieces.push(part.text);
    if (parts[at + 1]?.kind === 'text') continue;
    all.push({ kind: 'text', text: pieces.join('') });
    pieces = [];
  }
  return all;
}

/** Text of an answer, or of its thinking. */
export function textOf(parts: readonly AnswerPart[], kind: 'text' | 'thinking'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}
