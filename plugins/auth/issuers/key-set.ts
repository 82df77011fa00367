/**
 * The public keys of an issuer, read from its URL and cached.
 *
 * Known keys stay valid while the host is down; jose's own remote set refuses them once its cache is old, and makes
 * each token with an unknown key wait for a host that hangs. Here one read serves all waiting callers, and after a
 * failure nobody waits until the back-off has passed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock, Logger } from 'plugboard/sdk';

/** All in milliseconds. */
const REFRESH = 10 * 60_000;
const TIMEOUT = 5_000;
/** The least time between two reads caused by unknown keys. */
const COOL_DOWN = 30_000;
const FIRST_BACK_OFF = 5_000;
const LONGEST_BACK_OFF = 5 * 60_000;
/** Bytes of a key set; Google's has 2 kB. */
const LARGEST = 1024 * 1024;

export interface KeySet {
  /** The present keys; undefined before the first successful read. */
  readonly keys: JWTVerifyGetKey | undefined;
  /** How often the keys have changed: results verified with older ones are dropped. */
  readonly generation: number;
  /** Reads the keys if that may bring an unknown one. True if they changed. */
  renew(): Promise<boolean>;
  /** Whether the last read failed, so that an unknown key may be valid. */
  readonly failing: boolean;
}

/** Keys that never change while the server runs: from a file, or a shared secret. */
export function fixedKeys(keys: JWTVerifyGetKey): KeySet {
  return { keys, generation: 0, failing: false, renew: async () => false };
}

export function localKeys(text: string): JWTVerifyGetKey {
  return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
}

export class RemoteKeySet implements KeySet {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  #keys: JWTVerifyGetKey | undefined;
  #text = '';
  #generation = 0;
  #triedAt = -Infinity;
  #failures = 0;
  #reading: Promise<boolean> | undefined;

  constructor(url: string, clock: Clock, log: Logger) {
    this.#url = url;
    this.#clock = clock;
    this.#log = log;
  }

  get keys(): JWTVerifyGetKey | undefined {
    return this.#keys;
  }

  get generation(): number {
    return this.#generation;
  }

  get failing(): boolean {
    return this.#failures > 0;
  }

  async renew(): Promise<boolean> {
    if (this.#reading !== undefined) return this.#reading;
    const rest = this.failing ? this.#backOff() : COOL_DOWN;
    return this.#clock.now() - this.#triedAt < rest ? false : this.#read();
  }

  /** Reads the keys periodically until `signal` is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await (this.#reading ?? this.#read());
      const pause = this.failing ? this.#backOff() : REFRESH;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #backOff(): number {
    return Math.min(FIRST_BACK_OFF * 2 ** (this.#failures - 1), LONGEST_BACK_OFF);
  }

  #read(): Promise<boolean> {
    this.#reading = this.#readOnce().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readOnce(): Promise<boolean> {
    try {
      const text = await readText(this.#url);
      const keys = localKeys(text);
      this.#failures = 0;
      if (text === this.#text) return false;
      this.#text = text;
      this.#keys = keys;
      this.#generation += 1;
      return true;
    } catch (error) {
      this.#failures += 1;
      this.#log.warn(
        { url: this.#url, reason: reasonOf(error), known: this.#keys !== undefined },
        'could not read the keys of a token issuer',
      );
      return false;
    } finally {
      this.#triedAt = this.#clock.now();
    }
  }
}

async function readText(url: string): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { accept: 'application/jwk-set+json, application/json' },
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST) throw new Error(`is larger than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
