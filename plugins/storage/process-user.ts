/** Who this process runs as, in a message. */
import { userInfo } from 'node:os';

export function processUser(): string {
  try {
    return `the user "${userInfo().username}"`;
  } catch {
    // A container may run as a number that has no name.
    return `the user with the id ${process.getuid?.() ?? 'unknown'}`;
  }
}
