/** From the issuers' config to their keys: URLs are read in the background, files once. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock, Logger } from 'plugboard/sdk';
import { parseClaimPath } from './claim-path.js';
import { Issuers, type Issuer } from './issuers.js';
import { fixedKeys, localKeys, RemoteKeySet, type KeySet } from './key-set.js';
import type { IssuerConfig } from './schema.js';

export interface IssuerParts {
  readonly baseDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OpenIssuers {
  readonly issuers: Issuers;
  /** Refreshes the keys of URLs until `signal` is aborted. */
  follow(signal: AbortSignal): Promise<unknown>;
}

export async function openIssuers(
  configs: readonly IssuerConfig[],
  parts: IssuerParts,
): Promise<OpenIssuers> {
  const open = await Promise.all(
    configs.map(async (config): Promise<Issuer> => {
      const rolePath = parseClaimPath(config.role);
      return { config, rolePath, keys: await keysOf(config, parts) };
    }),
  );
  const remote = open.map(({ keys }) => keys).filter((keys) => keys instanceof RemoteKeySet);
  return {
    issuers: new Issuers(open, parts.clock),
    follow: (signal) => Promise.all(remote.map((keys) => keys.follow(signal))),
  };
}

async function keysOf(
  { name, jwks, secret }: IssuerConfig,
  { baseDir, clock, log }: IssuerParts,
): Promise<KeySet> {
  if (secret !== undefined) {
    const key = Buffer.from(secret);
    return fixedKeys(async () => key);
  }
  if (jwks === undefined) throw new TypeError(`the issuer "${name}" has neither "jwks" nor "secret"`);
  if (/^https?:\/\//.test(jwks)) return new RemoteKeySet(jwks, clock, log);
  const file = resolve(baseDir, jwks);
  try {
    return fixedKeys(localKeys(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the keys of the issuer "${name}" cannot be read from "${file}": ${reason}`, {
      cause: error,
    });
  }
}
