/** A chat completion as an event stream, with its measurements. */
import { ApiError, type PageContext } from 'plugboard/console';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly [parameter: string]: unknown;
}

/** Times in milliseconds since the request was sent. */
export interface Progress {
  readonly text: string;
  readonly firstToken: number | undefined;
  readonly total: number | undefined;
  /** Undefined if the upstream does not report it. */
  readonly tokens: number | undefined;
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly completion_tokens?: number } | null;
  readonly error?: { readonly message: string; readonly code?: string };
}

/** Calls `onProgress` after each event. Throws an `ApiError`, or an `AbortError` if the signal is aborted. */
export async function streamChat(
  { fetch }: Pick<PageContext, 'fetch'>,
  request: ChatRequest,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const begun = performance.now();
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const refuse = (error: Chunk['error'], status: number): never => {
    const { message = `${status}`, code } = error ?? {};
    throw new ApiError(message, { status, code, member: undefined, requestId });
  };
  if (!response.ok || response.body === null)
    return refuse(((await response.json().catch(() => ({}))) as Chunk).error, response.status);
  let progress: Progress = { text: '', firstToken: undefined, total: undefined, tokens: undefined };
  for await (const chunk of eventsOf(response.body)) {
    if (chunk.error !== undefined) refuse(chunk.error, response.status);
    const text = chunk.choices?.[0]?.delta?.content ?? '';
    const firstToken = progress.firstToken ?? (text === '' ? undefined : performance.now() - begun);
    const tokens = chunk.usage?.completion_tokens ?? progress.tokens;
    progress = { ...progress, text: progress.text + text, firstToken, tokens };
    onProgress(progress);
  }
  onProgress({ ...progress, total: performance.now() - begun });
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines) {
      const text = line.startsWith('data:') ? line.slice(5).trim() : '';
      if (text !== '' && text !== '[DONE]') yield JSON.parse(text) as Chunk;
    }
    if (done) return;
  }
}
