/** Follows a feed as server-sent events: what it tells is a reason to read it. */

interface Following {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Called when the stream is open, whenever it tells something, and before it is opened again. */
  readonly look: () => void;
  readonly signal: AbortSignal;
}

/** Milliseconds until a stream that ended is opened again. */
const AGAIN_AFTER = 5000;

/** Until the signal is aborted. */
export async function follow(path: string, { fetch, look, signal }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await fetch(path, { headers: { accept: 'text/event-stream' }, signal });
      const reader = body!.getReader();
      while (!(await reader.read()).done) look();
    } catch {
      // The server is away, or the page.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
    if (!signal.aborted) look();
  }
}
