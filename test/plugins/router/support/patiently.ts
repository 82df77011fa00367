/**
 * For tests in which one upstream hangs and the others must answer within the same time limits. What fails under
 * short limits is tried with longer ones, as a busy machine may be to blame; a defect fails with all of them.
 */
const LIMITS = [800, 8_000, 60_000] as const;

/** `run` gets the milliseconds of each limit. */
export async function patiently(run: (limit: number) => Promise<void>): Promise<void> {
  for (const limit of LIMITS.slice(0, -1)) {
    try {
      return await run(limit);
    } catch {
      // The longer limit decides.
    }
  }
  await run(LIMITS[LIMITS.length - 1]!);
}

/** Of a router's config: each phase of a call is given up after so many milliseconds. */
export function limits(milliseconds: number): object {
  return { headers: milliseconds, firstToken: milliseconds, idle: milliseconds };
}

export const SHORT = limits(LIMITS[0]);
