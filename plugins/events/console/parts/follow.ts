/** Follows a feed as server-sent events: each is a reason to reload it. */

interface Following {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Called when the stream opens, at each event, and before it reconnects. */
  readonly look: () => void;
  readonly signal: AbortSignal;
}

/** Milliseconds until an ended stream is reopened. */
const AGAIN_AFTER = 5000;

/** Until the signal is aborted. */
export async function follow(path: string, { fetch, look, signal }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await fetch(path, { headers: { accept: 'text/event-stream' }, signal });
      const reader = body!.getReader();
      while (!(await reader.read()).done) look();
    } catch {
      // The server or the page is gone.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
    if (!signal.aborted) look();
  }
}
