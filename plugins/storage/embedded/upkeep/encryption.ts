/**
 * Backups encrypted with age (https://age-encryption.org/v1). Each file is encrypted separately and gets the suffix
 * `.age`, except `backup.json`, which says when the backup was made and contains no data.
 */
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { UserError } from 'plugboard/sdk';

const SUFFIX = '.age';

/** The same streams, with the browser's types. */
type WebBytes = globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;

export function isEncrypted(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((name) => name.endsWith(SUFFIX));
}

/** Throws a `UserError` if one is not a public key of age. */
export async function assertRecipients(recipients: readonly string[]): Promise<void> {
  if (recipients.length > 0) await encrypter(recipients);
}

/** Replaces the files in the folder. */
export async function encryptFiles(
  directory: string,
  names: readonly string[],
  recipients: readonly string[],
): Promise<void> {
  const age = await encrypter(recipients);
  for (const name of names) {
    const path = join(directory, name);
    await through(path, path + SUFFIX, (plain) => age.encrypt(plain as WebBytes));
    rmSync(path);
  }
}

/** Writes the decrypted files of a backup into a folder. `identityFile`: in the format of age-keygen. */
export async function decryptFiles(directory: string, into: string, identityFile: string): Promise<void> {
  if (!isEncrypted(directory))
    throw new UserError(`the backup in "${directory}" is not encrypted; leave --identity out`);
  const { Decrypter } = await import('age-encryption');
  const age = new Decrypter();
  try {
    for (const line of readFileSync(identityFile, 'utf8').split('\n'))
      if (line.trim() !== '' && !line.startsWith('#')) age.addIdentity(line.trim());
  } catch (error) {
    throw new UserError(`"${identityFile}" is no file of age identities, as age-keygen writes it`, {
      cause: error,
    });
  }
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(SUFFIX)) {
      copyFileSync(join(directory, name), join(into, name));
      continue;
    }
    try {
      const to = join(into, name.slice(0, -SUFFIX.length));
      await through(join(directory, name), to, (secret) => age.decrypt(secret as WebBytes));
    } catch (error) {
      throw new UserError(
        `"${join(directory, name)}" cannot be decrypted: it is damaged, or encrypted to another key`,
        { cause: error },
      );
    }
  }
}

async function encrypter(recipients: readonly string[]) {
  const { Encrypter } = await import('age-encryption');
  const age = new Encrypter();
  for (const recipient of recipients) {
    try {
      age.addRecipient(recipient);
    } catch (error) {
      throw new UserError(`"${recipient}" is not a public key of age`, { cause: error });
    }
  }
  return age;
}

/** Chunk by chunk: a store may be larger than memory. */
async function through(
  from: string,
  to: string,
  change: (bytes: ReadableStream) => Promise<unknown>,
): Promise<void> {
  const changed = await change(Readable.toWeb(createReadStream(from)));
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.fromWeb(changed as ReadableStream), file);
}
