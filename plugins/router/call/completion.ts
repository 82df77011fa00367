/** Whether an answer is a chat completion. */
import type { Unfit } from '../schema.js';
import { AttemptFailure, filtered } from './failure.js';

/** Throws an `AttemptFailure` when it is none, or is filtered and another target may do better. */
export function checkCompletion(
  json: Readonly<Record<string, unknown>>,
  fallbackOn: ReadonlySet<Unfit>,
): void {
  const choices: unknown = json['choices'];
  if (!Array.isArray(choices) || choices.length === 0) throw new AttemptFailure('invalid', 'no_choices');
  const hasMessage = (choice: { message?: unknown } | null): boolean =>
    typeof choice?.message === 'object' && choice.message !== null;
  if (!choices.every(hasMessage)) throw new AttemptFailure('invalid', 'no_message');
  const isFiltered = (choice: { finish_reason?: unknown }): boolean =>
    choice.finish_reason === 'content_filter';
  if (fallbackOn.has('content_filter') && choices.every(isFiltered)) throw filtered();
}
