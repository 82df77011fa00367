/**
 * From the key in a request to the key in storage, without asking storage each time.
 *
 * What is cached is thrown away as soon as the storage's change feed reports a change, by this instance or
 * another. While there is no feed (a standalone MongoDB server has none) an entry lives for a second instead:
 * that is how long a revoked key may then still work on another instance.
 */
import type { BlockList } from 'node:net';
import { followChanges, type Clock, type Collection, type Logger, type Principal } from 'plugboard/sdk';
import { addressList } from './addresses.js';
import type { ApiKeyDocument } from './key-document.js';

/** Milliseconds. */
const LIFE_WITHOUT_FEED = 1_000;
/** Entries of about 300 bytes; past that the oldest go. */
const CAPACITY = 10_000;

export interface KnownKey {
  readonly principal: Extract<Principal, { kind: 'key' }>;
  /** Epoch milliseconds; Infinity for a key that does not expire. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Where the key may be used from; undefined: anywhere. */
  readonly addresses: BlockList | undefined;
}

interface Entry extends KnownKey {
  readonly readAt: number;
}

export class KeyLookup {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #entries = new Map<string, Entry>();
  /** By id: the text of a key, and during a rotation the one before. */
  readonly #hashes = new Map<string, Set<string>>();
  readonly #renewing = new Set<string>();
  readonly #lifeWithFeed: number;
  #life = LIFE_WITHOUT_FEED;
  /** Counts the changes seen, so that a read that overlapped one is not cached. */
  #changes = 0;

  /** `lifeWithFeed`: milliseconds for which a key is kept, as a feed may stall without failing. */
  constructor(keys: Collection<ApiKeyDocument>, lifeWithFeed: number, clock: Clock, log: Logger) {
    this.#keys = keys;
    this.#lifeWithFeed = lifeWithFeed;
    this.#clock = clock;
    this.#log = log;
  }

  /** The key if it is cached. Synchronous, as most requests end here. */
  cached(hash: string, now: number): KnownKey | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || now - entry.readAt >= this.#life) return undefined;
    if (now - entry.readAt > this.#life / 2) this.#renew(hash);
    return entry;
  }

  /** Reads a key that is in use before it is too old, so that no request waits for it. */
  #renew(hash: string): void {
    if (this.#renewing.has(hash)) return;
    this.#renewing.add(hash);
    // One that cannot be read is read, and answered for, by a request when its time is over.
    this.find(hash)
      .catch(() => {})
      .finally(() => this.#renewing.delete(hash));
  }

  async find(hash: string): Promise<KnownKey | undefined> {
    const changes = this.#changes;
    const readAt = this.#clock.now();
    const document =
      (await this.#keys.findOne({ hash })) ?? (await this.#keys.findOne({ 'previous.hash': hash }));
    if (document === null) return undefined;
    const entry = { ...known(document, hash), readAt };
    if (entry.revoked) this.forget(document._id);
    else if (changes === this.#changes) this.#remember(hash, entry);
    return entry;
  }

  /** Forgets a key that this instance changed; other instances learn of it by the feed. */
  forget(id: string): void {
    this.#changes += 1;
    for (const hash of this.#hashes.get(id) ?? []) this.#entries.delete(hash);
    this.#hashes.delete(id);
  }

  /** Follows the changes until `signal` is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const follower = {
      opened: () => {
        this.#forgetAll();
        this.#life = this.#lifeWithFeed;
      },
      changed: ({ id }: { readonly id: string }) => this.forget(id),
      lost: () => void (this.#life = LIFE_WITHOUT_FEED),
    };
    await followChanges(this.#keys, follower, { log: this.#log, signal });
    if (!signal.aborted)
      this.#log.info('the store has no change feed: a revoked API key may work for a second elsewhere');
  }

  #forgetAll(): void {
    this.#changes += 1;
    this.#entries.clear();
    this.#hashes.clear();
  }

  #remember(hash: string, entry: Entry): void {
    if (this.#entries.size >= CAPACITY) this.#forgetOldest();
    this.#entries.set(hash, entry);
    const hashes = this.#hashes.get(entry.principal.id);
    if (hashes === undefined) this.#hashes.set(entry.principal.id, new Set([hash]));
    else hashes.add(hash);
  }

  #forgetOldest(): void {
    for (const [hash, { principal }] of this.#entries) {
      this.#entries.delete(hash);
      const hashes = this.#hashes.get(principal.id);
      hashes?.delete(hash);
      if (hashes?.size === 0) this.#hashes.delete(principal.id);
      return;
    }
  }
}

/** `hash`: of the text that was sent, which may be that of before a rotation. */
function known(document: ApiKeyDocument, hash: string): KnownKey {
  const { _id, name, scopes, owner, addresses, expiresAt, revokedAt, previous, publishable } = document;
  const until = document.hash === hash ? Infinity : (previous?.until.getTime() ?? 0);
  const tenant = owner == null ? {} : { owner };
  return {
    principal: Object.freeze({
      kind: 'key',
      id: _id,
      name,
      scopes: Object.freeze(scopes),
      ...tenant,
      ...(publishable === true && { publishable }),
    }),
    addresses: addresses == null || addresses.length === 0 ? undefined : addressList(addresses),
    expiresAt: Math.min(expiresAt?.getTime() ?? Infinity, until),
    revoked: revokedAt !== null,
  };
}
