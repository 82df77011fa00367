/** A promise with a deadline. */

/** Resolves as `work` does, or rejects with `late()` after `milliseconds`. The work itself goes on; abort it by other means. */
export async function withDeadline<T>(
  work: () => Promise<T>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
