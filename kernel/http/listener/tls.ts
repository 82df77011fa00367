/** The certificate of an https listener: read at the start, and again when its files change. */
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { UserError } from '../../sdk/plugin/command.js';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ciphers: string;
}

/** The suites of TLS 1.3, and those of TLS 1.2 with forward secrecy and AEAD: no CBC, no static RSA. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM:ECDHE+CHACHA20',
].join(':');

/** Milliseconds. Polled: watchers miss files that are renamed into place, or that a link points to. */
const LOOK_EVERY = 2_000;

export class Certificate {
  readonly #files: TlsFiles;

  /** Relative paths start at `baseDir`. */
  constructor({ cert, key }: TlsFiles, baseDir: string) {
    this.#files = { cert: resolve(baseDir, cert), key: resolve(baseDir, key) };
  }

  /** Why the files cannot be used; undefined: they can. */
  async problem(): Promise<string | undefined> {
    try {
      await this.#pair();
      return undefined;
    } catch (error) {
      return this.#reason(error);
    }
  }

  /** Throws a `UserError` when the files cannot be read, or do not belong together. */
  async read(): Promise<Pair> {
    try {
      return await this.#pair();
    } catch (error) {
      throw new UserError(`server.tls: ${this.#reason(error)}`, { cause: error });
    }
  }

  async #pair(): Promise<Pair> {
    const { cert, key } = this.#files;
    const pair = { cert: await readFile(cert), key: await readFile(key), ciphers: CIPHERS };
    createSecureContext(pair);
    return pair;
  }

  #reason(error: unknown): string {
    return `${this.#files.cert} and ${this.#files.key}: ${(error as Error).message}`;
  }

  /** Installs the new pair when a file changes; a bad pair keeps the old one. Returns a function that stops this. */
  follow(server: Pick<Server, 'setSecureContext'>, log: Pick<Logger, 'info' | 'error'>): () => void {
    const reload = (): void => {
      this.read().then(
        (pair) => {
          server.setSecureContext(pair);
          log.info('read the certificate again');
        },
        (error: unknown) =>
          log.error({ err: error }, 'the certificate was not replaced; the old one stays in force'),
      );
    };
    const files = Object.values(this.#files) as string[];
    for (const file of files) watchFile(file, { interval: LOOK_EVERY, persistent: false }, reload);
    return () => files.forEach((file) => unwatchFile(file, reload));
  }
}
