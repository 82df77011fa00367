/**
 * The API keys of one upstream: used in turn. One that is not accepted rests for all models, one at a limit for its
 * model.
 */
import type { Attempted, BreakerPolicy, Passage } from './breaker.js';
import { ModelHealths, Rest, type CooldownPolicy } from './model-health.js';

export interface KeyPolicies {
  readonly breaker: BreakerPolicy;
  readonly cooldown: CooldownPolicy;
}

export class UpstreamKey {
  /** Null for an upstream that needs none. */
  readonly secret: string | null;
  /** The rest of the key itself, for all models. */
  readonly rest: Rest;
  readonly models: ModelHealths;

  constructor(secret: string | null, policies: KeyPolicies) {
    this.secret = secret;
    this.rest = new Rest(policies.cooldown);
    this.models = new ModelHealths(policies);
  }
}

export interface PickedKey {
  readonly key: UpstreamKey;
  readonly passage: Passage;
}

/** Why no key can be used for a model, and when one can, in milliseconds since the epoch. */
export interface Unusable {
  readonly code: 'no_api_key' | 'key_refused' | 'cooling_down' | 'circuit_open' | 'probing';
  readonly readyAt: number;
  /** What the model failed with last. */
  readonly lastFailure: string | undefined;
}

export class KeyRing {
  readonly #keys: readonly UpstreamKey[];
  #next = 0;

  /** `secrets` undefined: the upstream needs no key. Empty strings, as unset variables leave them, are ignored. */
  constructor(secrets: readonly string[] | undefined, policies: KeyPolicies) {
    const keys = secrets === undefined ? [null] : secrets.filter((secret) => secret !== '');
    this.#keys = keys.map((secret) => new UpstreamKey(secret, policies));
  }

  get all(): readonly UpstreamKey[] {
    return this.#keys;
  }

  /** Any key that is accepted, for a question that belongs to no model. */
  any(now: number): UpstreamKey | undefined {
    return this.#keys.find(({ rest }) => rest.until <= now);
  }

  /** The next key that may be used for the model and was not `tried`; undefined when there is none. */
  pick(
    model: string,
    now: number,
    attempted: Attempted = {},
    tried?: ReadonlySet<UpstreamKey>,
  ): PickedKey | undefined {
    for (let step = 0; step < this.#keys.length; step += 1) {
      const key = this.#keys[(this.#next + step) % this.#keys.length];
      if (key === undefined || key.rest.until > now || tried?.has(key) === true) continue;
      const passage = key.models.tryPass(model, now, attempted);
      if (passage === undefined) continue;
      this.#next = (this.#next + step + 1) % this.#keys.length;
      return { key, passage };
    }
    return undefined;
  }

  /** Why `pick` found none: the reason of the key that is usable first. */
  unusable(model: string, now: number): Unusable {
    let first: Unusable | undefined;
    for (const { rest, models } of this.#keys) {
      const health = models.get(model);
      const limitedUntil = health?.rest.until ?? 0;
      const circuit = health?.breaker.opensAt ?? 0;
      // Only a key that is not accepted rests itself: that is no limit, and coming back later may not help.
      const code =
        rest.until > now
          ? 'key_refused'
          : limitedUntil > now
            ? 'cooling_down'
            : circuit > now
              ? 'circuit_open'
              : 'probing';
      const readyAt = Math.max(rest.until, limitedUntil, circuit);
      if (first === undefined || readyAt < first.readyAt)
        first = { code, readyAt, lastFailure: health?.lastFailure };
    }
    return first ?? { code: 'no_api_key', readyAt: Infinity, lastFailure: undefined };
  }
}
