/** One model call, its usage, and its failure as a value: a run continues after one. */
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

/** Throws the signal's reason if aborted, and any error that is not a service's. */
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
    // If the upstream does not report usage, its tokens are counted a moment later.
    await unlessAborted(used, signal);
    return { completion, use };
  } catch (error) {
    signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    return { error: { code: error.code, message: error.message }, use };
  }
}

/** Empty if the model calls a tool, or thinks and says nothing. */
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
