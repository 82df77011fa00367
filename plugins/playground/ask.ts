/** One call of a model, what it took, and its failure as a value: a run goes on after one. */
import {
  isServiceError,
  type CallUse,
  type ChatCompletion,
  type ChatRequest,
  type ModelCall,
  type Models,
} from 'plugboard/sdk';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Asked = { readonly use: CallUse | undefined } & (
  { readonly completion: ChatCompletion } | { readonly completion?: undefined; readonly error: Failure }
);

/** Throws the reason of the signal when it is aborted, and what is no failure of a service. */
export async function ask(
  models: Models,
  request: ChatRequest,
  call: Pick<ModelCall, 'caller' | 'purpose'> & { readonly signal: AbortSignal },
): Promise<Asked> {
  const { signal } = call;
  let use: CallUse | undefined;
  let told = (): void => undefined;
  const used = new Promise<void>((resolve) => (told = resolve));
  const metered = (one: CallUse): void => {
    use = one;
    told();
  };
  try {
    const completion = await models.chat(request, { ...call, metered, intercept: false });
    // Where the upstream does not say it, its tokens are counted a moment later.
    await unlessAborted(used, signal);
    return { completion, use };
  } catch (error) {
    signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    return { error: { code: error.code, message: error.message }, use };
  }
}

/** Empty where the model calls a tool, or thinks and says nothing. */
export function textOf({ choices: [choice] }: ChatCompletion): string {
  const content: unknown = choice?.message.content;
  return typeof content === 'string' ? content : '';
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
  });
}
