import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for what is done in the background or by another process. The bound, in milliseconds, is for what never comes:
 * far above what a busy machine takes.
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  within = 120_000,
): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${within} ms: ${what}`);
    await sleep(10);
  }
}
