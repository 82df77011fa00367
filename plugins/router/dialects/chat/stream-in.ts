/** The events of a chat completion, to neutral ones. */
import { parseChunk, type ChatChunk } from '../../call/chat-chunk.js';
import type { FinishReason, NeutralEvent } from '../neutral.js';
import { PartSequence } from '../parts.js';
import { isObject, optionalList } from '../reading.js';
import type { Json, StreamReader } from '../dialect.js';
import { argumentsText, readFinish, readUsage, thoughtOf } from './answer.js';

interface HeldCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

export class ChatStreamReader implements StreamReader {
  readonly #parts = new PartSequence();
  /** Calls that began while another was open; they follow it, whole. */
  readonly #held = new Map<number, HeldCall>();
  #open: { readonly index: number; readonly id: string | undefined } | undefined;
  #calls = 0;
  #reason: FinishReason | undefined;

  take(data: string): NeutralEvent[] {
    if (data === '[DONE]') return this.end() ?? this.#parts.taken();
    const chunk = parseChunk(data) as ChatChunk & Json;
    if (chunk.choices.length > 0) this.#parts.start(nameOf(chunk['id']), nameOf(chunk['model']));
    for (const choice of chunk.choices) {
      // A neutral answer is one, and `n` is refused.
      if (choice === null || (choice.index ?? 0) !== 0) continue;
      if (isObject(choice.delta)) this.#delta(choice.delta);
      if (choice.finish_reason) this.#reason ??= readFinish(choice.finish_reason);
    }
    if (isObject(chunk['usage'])) this.#parts.usage(readUsage(chunk['usage']));
    return this.#parts.taken();
  }

  end(): NeutralEvent[] | undefined {
    if (this.#reason === undefined) return undefined;
    for (const { id, name, arguments: text } of this.#held.values()) {
      this.#parts.call(id, name);
      this.#parts.arguments(text);
    }
    this.#held.clear();
    this.#parts.finish(this.#reason);
    this.#parts.end();
    return this.#parts.taken();
  }

  #delta(delta: Json): void {
    const thought = thoughtOf(delta);
    if (thought !== '') {
      this.#open = undefined;
      this.#parts.thinking(thought);
    }
    const said = delta['content'] ?? delta['refusal'];
    if (typeof said === 'string' && said !== '') {
      this.#open = undefined;
      this.#parts.text(said);
    }
    for (const value of optionalList(delta['tool_calls'], 'tool_calls'))
      if (isObject(value)) this.#call(value);
  }

  /** Some servers send no index, or 0 for all calls: a new id is a new call. */
  #call(call: Json): void {
    const made = isObject(call['function']) ? call['function'] : {};
    const [id, name] = [nameOf(call['id']), nameOf(made['name'])];
    const text = argumentsText(made['arguments']);
    const given = typeof call['index'] === 'number' ? call['index'] : undefined;
    const index = given ?? this.#open?.index ?? 0;
    const isOpen = this.#open?.index === index && (id === undefined || id === this.#open.id);
    if (isOpen) {
      this.#parts.arguments(text);
      return;
    }
    const held = [...this.#held.values()].findLast((one) => id === undefined || one.id === id);
    const known = given === undefined || id !== undefined ? held : (this.#held.get(given) ?? held);
    if (known !== undefined && (id === undefined || known.id === id)) {
      known.arguments += text;
      return;
    }
    this.#calls += 1;
    const made_ = { id: id ?? `call_${this.#calls}`, name: name ?? '', arguments: text };
    // Held if an earlier call is held: calls keep their order.
    if (this.#open === undefined && this.#held.size === 0) {
      this.#open = { index, id: made_.id };
      this.#parts.call(made_.id, made_.name);
      this.#parts.arguments(text);
    } else {
      this.#held.set(this.#held.has(index) || index === this.#open?.index ? -this.#calls : index, made_);
    }
  }
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
