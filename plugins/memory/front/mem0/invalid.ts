/** Error for a malformed request, in words. */
import { errors } from '../../engine/base/errors.js';

export function invalid(problem: string): Error {
  return errors.mem0_invalid({ values: { problem } });
}
