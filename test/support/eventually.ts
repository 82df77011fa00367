import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for what is done in the background or by another process; rejects when it does not come within so many ms. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  within = 30_000,
): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${within} ms: ${what}`);
    await sleep(10);
  }
}
