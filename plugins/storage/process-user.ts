/** The user of this process, for messages. */
import { userInfo } from 'node:os';

export function processUser(): string {
  try {
    return `the user "${userInfo().username}"`;
  } catch {
    // A container may run as a uid without a name.
    return `the user with the id ${process.getuid?.() ?? 'unknown'}`;
  }
}
