/** A call as other plugins' hooks see it: its start, and always its end. Never its texts. */
import { isServiceError, type ObservedCall } from 'plugboard/sdk';
import type { CallOutcome, ServedCall } from './served-call.js';

/** What a call without an answer has used. */
const NOTHING = { tokensIn: null, tokensOut: null, tokensCached: null };
const UNSERVED = { ...NOTHING, upstream: null, dialect: null, servedModel: null, firstToken: null };

export async function followed<T>(
  observed: ObservedCall,
  stream: boolean,
  place: () => Promise<ServedCall<T>>,
): Promise<ServedCall<T>> {
  const began = performance.now();
  let served: ServedCall<T>;
  try {
    served = await observed.run(place);
  } catch (error) {
    const { status, code } = isServiceError(error) ? error : { status: 500, code: 'internal_error' };
    observed.end({ ...UNSERVED, status, error: code });
    throw error;
  }
  const firstToken = stream ? performance.now() - began : null;
  return {
    ...served,
    end(outcome: CallOutcome) {
      const cost = served.end(outcome);
      const error = outcome.failure === null ? null : served.describe(outcome.failure);
      const { tokensIn, tokensOut, tokensCached } = outcome.tokens;
      const { upstream, dialect } = served;
      const { servedModel } = outcome;
      observed.end({
        status: error?.status ?? 200,
        error: error?.code ?? null,
        upstream,
        dialect,
        servedModel,
        tokensIn,
        tokensOut,
        tokensCached,
        firstToken,
      });
      return cost;
    },
  };
}
