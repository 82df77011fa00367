/** Where the sealing keys come from: the config, or a file next to the embedded store. */
import { UserError } from 'plugboard/sdk';
import { ensureSealKeyFile, readSealKeyFile } from './file.js';

/** `directory`: of the store, if it is on this machine. */
export async function findSealKeys(
  configured: readonly string[] | undefined,
  directory: string | undefined,
): Promise<readonly [string, ...string[]]> {
  const [first, ...old] = (configured ?? []).flatMap((lines) => lines.split(/[\r\n]+/));
  if (first !== undefined) {
    // Texts sealed with the generated key, before one was configured, must still open.
    const generated = directory === undefined ? undefined : await readSealKeyFile(directory);
    return [first, ...old, ...(generated ?? [])];
  }
  if (directory !== undefined) return ensureSealKeyFile(directory);
  throw new UserError(
    'providers.secrets.keys is not set, and this store is shared: every instance needs the same key for secrets at rest. ' +
      'Make one with "openssl rand -base64 32 > seal.key" and set keys: ["${file:seal.key}"]',
  );
}
