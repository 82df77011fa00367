/** Platforms: whose accounts a key reads and writes, and what that platform may do. */
import type { Principal } from 'plugboard/sdk';
import type { AccountsConfig, Settings } from '../schema/config.js';
import { withSettings, type Overrides } from './overrides.js';

export interface Platform {
  readonly id: string;
  readonly livemode: boolean;
  readonly settings: Settings;
}

/** What a key belongs to that no platform names. */
const DEFAULT = 'default';

export class Platforms {
  readonly #platforms: ReadonlyMap<string, Platform>;
  /** By a key's name or id. */
  readonly #ofKey: ReadonlyMap<string, string>;
  readonly #overrides: Overrides;

  /** `healthy`: the settings of a platform about which the config says nothing. */
  constructor(config: AccountsConfig['platforms'], healthy: Settings, overrides: Overrides) {
    const named = Object.entries(config).map(([id, { livemode, settings }]): [string, Platform] => [
      id,
      { id, livemode, settings },
    ]);
    this.#platforms = new Map([[DEFAULT, { id: DEFAULT, livemode: false, settings: healthy }], ...named]);
    this.#ofKey = new Map(
      Object.entries(config).flatMap(([id, { keys }]) => keys.map((key) => [key, id] as const)),
    );
    this.#overrides = overrides;
  }

  /** Undefined where the config has no such platform any more. */
  async byId(id: string): Promise<Platform | undefined> {
    const platform = this.#platforms.get(id);
    return platform && this.#withOverrides(platform);
  }

  /** Of a test platform with what a test helper has set. */
  async of(principal: Principal): Promise<Platform> {
    return this.#withOverrides(this.#configured(principal));
  }

  async #withOverrides(platform: Platform): Promise<Platform> {
    if (platform.livemode) return platform;
    const cached = this.#overrides.cached(platform.id);
    const overrides = cached === undefined ? await this.#overrides.read(platform.id) : cached;
    return overrides === null
      ? platform
      : { ...platform, settings: withSettings(platform.settings, overrides) };
  }

  #configured(principal: Principal): Platform {
    const id =
      principal.kind === 'key'
        ? (this.#ofKey.get(principal.id) ?? this.#ofKey.get(principal.name) ?? DEFAULT)
        : DEFAULT;
    const platform = this.#platforms.get(id);
    if (platform === undefined) throw new Error(`there is no platform ${id}`);
    return platform;
  }
}
