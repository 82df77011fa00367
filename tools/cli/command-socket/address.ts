/** Where a running server takes commands: a socket in the folder of its store. */
import { relative, join } from 'node:path';
import type { Instance } from '../../../kernel/boot/plan/order.js';
import type { Plan } from '../../../kernel/boot/plan/prepare.js';
import { namedPaths } from '../../../kernel/boot/plan/named-paths.js';
import { STORAGE } from '../../../kernel/sdk/services/tokens.js';

/** The longest socket address: `sun_path` of macOS, less its final zero byte. Linux has four more. */
const LONGEST = 103;

/** The folder of a store that only one process may use; undefined for a shared store such as MongoDB. */
export function storeFolder({ instances, baseDir }: Plan): string | undefined {
  const storage = instances.find(isStore);
  return storage && namedPaths('folder', storage, baseDir)[0]?.absolute;
}

export function isStore({ definition }: Instance): boolean {
  return Object.values(definition.provides ?? {}).some(({ id }) => id === STORAGE.id);
}

/** The path of the socket, relative to the working folder if that is shorter; undefined if both are too long. */
export function socketPath(folder: string): string | undefined {
  const path = join(folder, 'commands.sock');
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= LONGEST);
}
