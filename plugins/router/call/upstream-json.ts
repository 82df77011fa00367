/** JSON that an upstream wrote. */
import { isTooDeep } from 'plugboard/sdk';
import { AttemptFailure } from './failure.js';

/** Throws an `AttemptFailure` for text that is no JSON, or nested so deep that it cannot be written again. */
export function upstreamJson(text: string): unknown {
  if (isTooDeep(text)) throw new AttemptFailure('invalid', 'nested_too_deep');
  try {
    return JSON.parse(text);
  } catch {
    throw new AttemptFailure('invalid', 'not_json');
  }
}
