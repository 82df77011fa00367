/** One event of a chat stream (`chat.completion.chunk`), as far as the router reads it. */
import type { Said } from '../estimate/said.js';
import { AttemptFailure } from './failure.js';
import { upstreamJson } from './upstream-json.js';

interface Choice {
  readonly index?: unknown;
  readonly delta?: Readonly<Record<string, unknown>> | null;
  /** Of completions of a bare text. */
  readonly text?: unknown;
  readonly finish_reason?: unknown;
}

export interface ChatChunk {
  readonly model?: unknown;
  readonly usage?: unknown;
  readonly choices: readonly (Choice | null)[];
}

/** Throws an `AttemptFailure` for an error in place of a chunk, and for data that is not a chunk. */
export function parseChunk(data: string): ChatChunk {
  const chunk = upstreamJson(data) as (Partial<ChatChunk> & { error?: unknown }) | null;
  if (typeof chunk !== 'object' || chunk === null) throw new AttemptFailure('invalid', 'not_an_object');
  if (chunk.error !== undefined && chunk.error !== null)
    throw new AttemptFailure('failed', 'error_in_stream');
  // Some servers leave `choices` out of events with token counts, results of filters or their own remarks.
  if (chunk.choices === undefined || chunk.choices === null) return { ...chunk, choices: [] };
  if (!Array.isArray(chunk.choices)) throw new AttemptFailure('invalid', 'no_choices');
  return chunk as ChatChunk;
}

/** Whether something of the answer is in it, and not its beginning alone. */
export function hasContent({ choices }: ChatChunk): boolean {
  return (
    choices.some((choice) => choice?.text !== undefined && choice.text !== '') ||
    choices.some((choice) =>
      Object.entries(choice?.delta ?? {}).some(
        ([name, value]) => name !== 'role' && value !== null && value !== '' && value !== undefined,
      ),
    )
  );
}

/** Adds what the model says in it. */
export function note(choice: Choice | null, said: Said): void {
  if (typeof choice?.text === 'string') said.add(choice.text);
  const delta = choice?.delta;
  if (delta === undefined || delta === null) return;
  const { content, reasoning_content: thought = delta['reasoning'], refusal, tool_calls: calls } = delta;
  if (typeof content === 'string') said.add(content);
  if (typeof thought === 'string') said.add(thought);
  if (typeof refusal === 'string') said.add(refusal);
  if (!Array.isArray(calls)) return;
  for (const call of calls as ({ function?: { name?: unknown; arguments?: unknown } | null } | null)[]) {
    const made = call?.function;
    if (typeof made?.name === 'string') said.add(made.name);
    if (typeof made?.arguments === 'string') said.add(made.arguments);
  }
}

/** Which choices of an answer (`n` may be more than one) have said why they ended. */
export class ChoiceEnds {
  readonly #open = new Set<unknown>();
  readonly #ended = new Set<unknown>();

  see({ choices }: ChatChunk): void {
    for (const choice of choices) {
      const index = choice?.index ?? 0;
      if (choice?.finish_reason) {
        this.#ended.add(index);
        this.#open.delete(index);
      } else if (!this.#ended.has(index)) {
        this.#open.add(index);
      }
    }
  }

  get complete(): boolean {
    return this.#ended.size > 0 && this.#open.size === 0;
  }
}
