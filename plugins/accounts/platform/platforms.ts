/** Platforms: whose accounts a key reads and writes, and what the platform may do. */
import type { Principal } from 'plugboard/sdk';
import type { AccountsConfig, Settings } from '../schema/config.js';
import { withSettings, type Overrides } from './overrides.js';

export interface Platform {
  readonly id: string;
  readonly livemode: boolean;
  readonly settings: Settings;
}

/** The platform of keys that no other platform names. */
const DEFAULT = 'default';

export class Platforms {
  readonly #platforms: ReadonlyMap<string, Platform>;
  /** By name or id of a key. */
  readonly #ofKey: ReadonlyMap<string, string>;
  readonly #overrides: Overrides;

  /** `healthy`: the settings of an unconfigured platform. */
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

  /** Undefined if the config no longer has this platform. */
  async byId(id: string): Promise<Platform | undefined> {
    const platform = this.#platforms.get(id);
    return platform && this.#withOverrides(platform);
  }

  /** For a test platform, with the settings from the test helper. */
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
