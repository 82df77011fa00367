/** A promise with a deadline. */

/**
 * Resolves as `work` does, or rejects with `late()` after `milliseconds` without progress: `work` resets the
 * deadline by calling its argument. The work itself goes on; abort it by other means.
 */
export async function withDeadline<T>(
  work: (progress: () => void) => Promise<T>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work(() => timer?.refresh()), deadline]);
  } finally {
    clearTimeout(timer);
    // `refresh` would start the timer again.
    timer = undefined;
  }
}
