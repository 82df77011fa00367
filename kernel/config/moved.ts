/** Keys that have another place now: their schema says `movedTo: 'secrets.keys'`, which is a provider and its key. */
import type { ConfigPath } from './problem.js';

interface Moved {
  readonly from: ConfigPath;
  readonly to: readonly ['providers', string, string];
  readonly value: unknown;
}

/** What entries hand on to providers that are read after them. */
export class MovedKeys {
  readonly #moved: Moved[] = [];

  /** Takes what has moved out of `own`. */
  take(schema: object, own: Record<string, unknown>, path: ConfigPath): void {
    const { properties = {} } = schema as { properties?: Record<string, { movedTo?: string }> };
    for (const [key, { movedTo }] of Object.entries(properties)) {
      if (movedTo === undefined || own[key] === undefined) continue;
      const [slot = '', name = ''] = movedTo.split('.');
      this.#moved.push({ from: [...path, key], to: ['providers', slot, name], value: own[key] });
      delete own[key];
    }
  }

  /** Adds the moved keys to the entry at `path`, whose own keys win. Returns the places of those that lost. */
  give(own: Record<string, unknown>, path: ConfigPath): ConfigPath[] {
    const given = this.#moved.filter(
      ({ to }) => path.length === 2 && path.every((step, at) => to[at] === step),
    );
    const surplus = given.filter(({ to }) => own[to[2]] !== undefined);
    for (const { to, value } of given) own[to[2]] ??= value;
    return surplus.map(({ from }) => from);
  }

  /** Where the user wrote the value at `path`. */
  written(path: ConfigPath): ConfigPath {
    const moved = this.#moved.find(({ to }) => to.every((step, at) => path[at] === step));
    return moved === undefined ? path : [...moved.from, ...path.slice(moved.to.length)];
  }
}
