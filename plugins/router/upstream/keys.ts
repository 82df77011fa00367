/** The API keys of one upstream: used in turn, and each rests on its own when the upstream turns it away. */
export interface CooldownPolicy {
  /** Milliseconds of the first rest; doubled each time in a row. */
  readonly base: number;
  readonly max: number;
}

export class UpstreamKey {
  /** Null for an upstream that needs none. */
  readonly secret: string | null;
  restsUntil = 0;
  rejections = 0;

  constructor(secret: string | null) {
    this.secret = secret;
  }
}

export class KeyRing {
  readonly #keys: readonly UpstreamKey[];
  readonly #policy: CooldownPolicy;
  #next = 0;

  /** `secrets` undefined: the upstream needs no key. Empty texts, as unset variables leave them, are no keys. */
  constructor(secrets: readonly string[] | undefined, policy: CooldownPolicy) {
    const keys = secrets === undefined ? [null] : secrets.filter((secret) => secret !== '');
    this.#keys = keys.map((secret) => new UpstreamKey(secret));
    this.#policy = policy;
  }

  get all(): readonly UpstreamKey[] {
    return this.#keys;
  }

  /** The next key that does not rest and was not `tried`; undefined when there is none. */
  pick(now: number, tried?: ReadonlySet<UpstreamKey>): UpstreamKey | undefined {
    for (let step = 0; step < this.#keys.length; step += 1) {
      const key = this.#keys[(this.#next + step) % this.#keys.length];
      if (key === undefined || key.restsUntil > now || tried?.has(key) === true) continue;
      this.#next = (this.#next + step + 1) % this.#keys.length;
      return key;
    }
    return undefined;
  }

  /**
   * The upstream turned the key away. `retryAfter` in milliseconds, when it said how long. Says whether the key
   * begins to rest: many calls that were out together and are all turned away are one rejection.
   */
  rest(key: UpstreamKey, now: number, retryAfter: number | undefined): boolean {
    const { base, max } = this.#policy;
    const begins = key.restsUntil <= now;
    if (!begins && retryAfter === undefined) return false;
    const rest = retryAfter ?? base * 2 ** Math.min(key.rejections, 20);
    if (begins) key.rejections += 1;
    key.restsUntil = Math.max(key.restsUntil, now + Math.min(rest, max));
    return begins;
  }

  worked(key: UpstreamKey): void {
    key.rejections = 0;
  }

  /** When the first key is usable, in milliseconds since the epoch; null without keys. */
  get readyAt(): number | null {
    return this.#keys.length === 0 ? null : Math.min(...this.#keys.map(({ restsUntil }) => restsUntil));
  }
}
