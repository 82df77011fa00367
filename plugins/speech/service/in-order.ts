/** Runs several tasks at a time and yields their results in order. */

/** At most `parallel` run; when one fails, or the reader stops, the signal of the others is aborted. */
export async function* inOrder<T, R>(
  items: readonly T[],
  { parallel, signal }: { parallel: number; signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const running: Promise<R>[] = [];
  let next = 0;
  try {
    while (next < items.length || running.length > 0) {
      for (; running.length < parallel && next < items.length; next += 1) {
        const started = work(items[next] as T, both);
        // Reported when awaited; until then it must not count as unhandled.
        started.catch(() => undefined);
        running.push(started);
      }
      const first = running.shift();
      if (first !== undefined) yield await first;
    }
  } finally {
    stop.abort();
  }
}
