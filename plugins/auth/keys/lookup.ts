/**
 * From the key in a request to the stored key, without reading storage each time.
 *
 * Cached entries are dropped as soon as the storage's change feed reports a change, by this instance or another.
 * Without a feed (a standalone MongoDB server has none) an entry lives for a second instead: that long a revoked key
 * may still work on another instance.
 */
import type { BlockList } from 'node:net';
import { followChanges, type Clock, type Collection, type Logger, type Principal } from 'plugboard/sdk';
import { addressList } from './addresses.js';
import type { ApiKeyDocument } from './key-document.js';

/** Milliseconds. */
const LIFE_WITHOUT_FEED = 1_000;
/** Entries of about 300 bytes; beyond this the oldest are evicted. */
const CAPACITY = 10_000;

export interface KnownKey {
  readonly principal: Extract<Principal, { kind: 'key' }>;
  /** Epoch milliseconds; Infinity for a key that does not expire. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** From where the key may be used; undefined: anywhere. */
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
  /** By id: the hashes of a key, two during a rotation. */
  readonly #hashes = new Map<string, Set<string>>();
  readonly #renewing = new Set<string>();
  readonly #lifeWithFeed: number;
  #life = LIFE_WITHOUT_FEED;
  /** Counts the observed changes, so that a read that overlaps one is not cached. */
  #changes = 0;

  /** `lifeWithFeed`: milliseconds for which a key is cached, as a feed may stall without failing. */
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

  /** Refreshes a key in use before it expires, so that no request waits. */
  #renew(hash: string): void {
    if (this.#renewing.has(hash)) return;
    this.#renewing.add(hash);
    // On failure, the first request after the expiry reads it and reports.
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

  /** Drops a key that this instance changed; other instances learn of it by the feed. */
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

/** `hash`: of the text that was sent, which may be the one before a rotation. */
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
