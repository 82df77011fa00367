/** Keys that have moved: their schema says `movedTo: 'secrets.keys'`, a provider and its key. */
import type { ConfigPath } from './problem.js';

interface Moved {
  readonly from: ConfigPath;
  readonly to: readonly ['providers', string, string];
  readonly value: unknown;
}

/** Values that entries pass to providers read after them. */
export class MovedKeys {
  readonly #moved: Moved[] = [];

  /** Removes the moved keys from `own`. */
  take(schema: object, own: Record<string, unknown>, path: ConfigPath): void {
    const { properties = {} } = schema as { properties?: Record<string, { movedTo?: string }> };
    for (const [key, { movedTo }] of Object.entries(properties)) {
      if (movedTo === undefined || own[key] === undefined) continue;
      const [slot = '', name = ''] = movedTo.split('.');
      this.#moved.push({ from: [...path, key], to: ['providers', slot, name], value: own[key] });
      delete own[key];
    }
  }

  /** Adds the moved keys to the entry at `path`, whose own keys win. Returns the paths of the losing ones. */
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
