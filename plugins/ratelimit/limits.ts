/** The limits of a category for each kind of caller, derived once from the config. */
import { UNLIMITED, type CategoryName, type Config } from './schema.js';
import type { Subject } from './subject.js';

export interface Limits {
  /** Null: not limited. */
  readonly requests: number | null;
  readonly tokens: number | null;
  /** Milliseconds. */
  readonly window: number;
}

type Bound = number | typeof UNLIMITED;

export class CategoryLimits {
  readonly name: CategoryName;
  readonly #byKind: Readonly<Record<Subject['kind'], Limits>>;
  /** By the name or id of an API key. */
  readonly #ofKeys = new Map<string, Limits>();

  constructor(name: CategoryName, config: Config) {
    this.name = name;
    const category = config.categories[name];
    const window = category.window * 1000;
    const tokens = 'tokens' in category ? asNumber(category.tokens) : null;
    const of = (bound: Bound): Limits => ({ requests: asNumber(bound), tokens: null, window });
    this.#byKind = {
      user: of(category.user),
      app: of(category.app),
      key: { ...of(category.key), tokens },
      address: of(category.address),
    };
    for (const [key, categories] of Object.entries(config.keys)) {
      const own: { requests?: Bound; tokens?: Bound } | undefined = categories[name];
      if (own === undefined) continue;
      this.#ofKeys.set(key, {
        requests: asNumber(own.requests ?? category.key),
        tokens: own.tokens === undefined ? tokens : asNumber(own.tokens),
        window,
      });
    }
  }

  of({ kind, names }: Subject): Limits {
    for (const name of names) {
      const own = this.#ofKeys.get(name);
      if (own !== undefined) return own;
    }
    return this.#byKind[kind];
  }
}

function asNumber(bound: Bound): number | null {
  return bound === UNLIMITED ? null : bound;
}
