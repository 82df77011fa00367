/** Rewrites a system prompt, a user prompt or both with the model that the caller names, on the caller's account. */
import type { ChatCompletion, ModelCall, Models } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { ImprovedAnswer, ImproveInput } from '../schema.js';
import { improveFailure } from './failure.js';
import { drawMarker, improveMessages, readImproved, type Parts } from './instructions.js';

export async function improvePrompt(
  models: Models,
  { model, system, prompt, tone }: ImproveInput,
  call: Pick<ModelCall, 'caller' | 'signal'>,
): Promise<ImprovedAnswer> {
  const parts = { ...given('system', system), ...given('prompt', prompt) };
  if (Object.keys(parts).length === 0) throw errors.nothing_to_improve();
  const marker = drawMarker(parts);
  // No temperature and no limit: reasoning models refuse the former, and spend the latter on thinking.
  const request = { model, messages: improveMessages(parts, tone, marker) };
  // The texts are rewritten as they are, without additions by a memory.
  const options = { ...call, purpose: 'playground.improve-prompt', intercept: false };
  const completion = await models.chat(request, options).catch((error: unknown) => {
    throw improveFailure(error);
  });
  const improved = readImproved(contentOf(completion), parts, marker);
  if (typeof improved === 'string') throw errors.upstream_invalid_response({ values: { reason: improved } });
  return {
    improvedSystem: improved.system,
    improvedPrompt: improved.prompt,
    tokensIn: tokenCount(completion.usage?.prompt_tokens),
    tokensOut: tokenCount(completion.usage?.completion_tokens),
  };
}

/** Blank counts as absent. */
function given(part: keyof Parts, text: string | undefined): Parts {
  return text === undefined || text.trim() === '' ? {} : { [part]: text };
}

/** The upstream's answer is not validated yet: a value that is not a count is treated as absent. */
function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Throws if the answer was truncated or is not text. */
function contentOf({ choices: [choice] }: ChatCompletion): string {
  const reason =
    choice?.finish_reason === 'length'
      ? 'it was cut short (finish_reason "length")'
      : typeof choice?.message.content !== 'string' || choice.message.content.trim() === ''
        ? 'it is empty'
        : undefined;
  if (reason !== undefined) throw errors.upstream_invalid_response({ values: { reason } });
  return choice?.message.content ?? '';
}
